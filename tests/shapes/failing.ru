# For each SPARQL constraint of the shapes, an update that makes a valid graph (the seed's) fail it and says so by
# its name. What core constraints forbid is made by rule in tests/validate/test_examples.py.

# kgsh:Paper-positions
DELETE { ?a kg:position 1 } INSERT { ?a kg:position 9 } WHERE { { SELECT ?a { ?p kg:hasAuthorship ?a . ?a kg:position 1 } LIMIT 1 } }
# kgsh:Paper-mention-positions
DELETE { ?a kg:mentionPosition 1 } INSERT { ?a kg:mentionPosition 9 } WHERE { { SELECT ?a { ?p kg:listsInstitution ?a . ?a kg:mentionPosition 1 } LIMIT 1 } }
# kgsh:Paper-authors-disagree-query
INSERT { ?p kg:hasAuthorship <urn:x:1> . <urn:x:1> kg:position 1 } WHERE { { SELECT ?p { ?p a kg:Paper } LIMIT 1 } }
# kgsh:Paper-venues-disagree-query
INSERT { ?p kg:hasVenueClaim <urn:x:1> . <urn:x:1> kg:claimsEvent <urn:x:e> ; prov:wasDerivedFrom <urn:x:f> . <urn:x:f> dcterms:isPartOf <urn:x:s> } WHERE { { SELECT ?p { ?p kg:hasVenueClaim/kg:claimsEvent ?e } LIMIT 1 } }
# kgsh:Paper-institution-unfounded
INSERT { ?p kg:relevantInstitution <urn:x:1> } WHERE { { SELECT ?p { ?p a kg:Paper } LIMIT 1 } }
# kgsh:Paper-institution-missing
DELETE { ?p kg:relevantInstitution ?i } WHERE { { SELECT ?p ?i { ?p kg:relevantInstitution ?i } LIMIT 1 } }
# kgsh:Paper-code-unfounded
INSERT { ?p kg:hasCode <https://github.com/nobody/nothing> } WHERE { { SELECT ?p { ?p a kg:Paper } LIMIT 1 } }
# kgsh:Paper-type-unfounded
INSERT { ?p a fabio:WorkshopPaper } WHERE { { SELECT ?p { ?p a fabio:ConferencePaper } LIMIT 1 } }
# kgsh:Paper-type-missing
DELETE { ?p a fabio:ConferencePaper } WHERE { { SELECT ?p { ?p a fabio:ConferencePaper } LIMIT 1 } }
# kgsh:Paper-label-unfounded
INSERT { ?p rdfs:label "Another"@en } WHERE { { SELECT ?p { ?p a kg:Paper } LIMIT 1 } }
# kgsh:Paper-text-unfounded
INSERT { ?p kg:comment "Said nowhere" } WHERE { { SELECT ?p { ?p a kg:Paper } LIMIT 1 } }
# kgsh:Paper-field-lost
DELETE { ?p kg:comment ?c } WHERE { ?p kg:comment ?c }
# kgsh:Paper-code-lost
DELETE { ?p kg:hasCode ?c } WHERE { ?p kg:hasCode ?c }
# kgsh:Authorship-name-unfounded
DELETE { ?a kg:nameAsListed ?n } INSERT { ?a kg:nameAsListed "Nobody Atall" } WHERE { { SELECT ?a ?n { ?a kg:nameAsListed ?n } LIMIT 1 } }
# kgsh:Authorship-stated-unfounded
INSERT { ?a kg:statedAffiliation <urn:x:1> } WHERE { { SELECT ?a { ?a a kg:Authorship } LIMIT 1 } }
# kgsh:Author-verified
DELETE { ?a kg:identityStatus kgs:NameOnly } INSERT { ?a kg:identityStatus kgs:Verified } WHERE { { SELECT ?a { ?a kg:identityStatus kgs:NameOnly } LIMIT 1 } }
# kgsh:Author-corroborated
DELETE { ?a kg:identityStatus kgs:NameOnly } INSERT { ?a kg:identityStatus kgs:Corroborated } WHERE { { SELECT ?a { ?a kg:identityStatus kgs:NameOnly } LIMIT 1 } }
# kgsh:Author-label-unfounded
INSERT { ?a rdfs:label "Nobody Atall" } WHERE { { SELECT ?a { ?a a kg:Author } LIMIT 1 } }
# kgsh:InstitutionMention-unfounded
INSERT { ?m kg:postalCode "000000" } WHERE { { SELECT ?m { ?m a kg:InstitutionMention } LIMIT 1 } }
# kgsh:InstitutionMention-how
DELETE { ?m kg:resolutionMethod ?x } WHERE { { SELECT ?m ?x { ?m kg:resolutionMethod ?x } LIMIT 1 } }
# kgsh:InstitutionMention-unit-unfounded
INSERT { ?m kg:unitName "Department of Nothing" } WHERE { { SELECT ?m { ?m a kg:InstitutionMention } LIMIT 1 } }
# kgsh:InstitutionMention-label-lost
DELETE { ?m kg:rawTextZh ?x } WHERE { ?m kg:rawTextZh ?x }
# kgsh:InstitutionMention-no-institution
INSERT { ?m kg:resolvesTo ?i } WHERE { { SELECT ?m ?i { ?m kg:mentionQuality kgs:personNames . ?i a kg:Institution } LIMIT 1 } }
# kgsh:InstitutionMention-open-query
DELETE { ?m kg:resolvesTo ?i } WHERE { { SELECT ?m { ?m kg:mentionQuality kgs:complete ; kg:resolvesTo ?any } LIMIT 1 } ?m kg:resolvesTo ?i }
# kgsh:InstitutionMention-joined-paper
INSERT { ?m kg:joinedWith ?n } WHERE { { SELECT ?m ?n { ?p kg:listsInstitution ?m . ?q kg:listsInstitution ?n FILTER (?p != ?q) } LIMIT 1 } }
# kgsh:Institution-parent-cycle
INSERT { ?i org:subOrganizationOf ?i } WHERE { { SELECT ?i { ?i a kg:Institution } LIMIT 1 } }
# kgsh:Institution-label-differs
INSERT { ?i rdfs:label "Another"@en } WHERE { { SELECT ?i { ?i a kg:Institution } LIMIT 1 } }
# kgsh:VenueClaim-unfounded
DELETE { ?c kg:claimText ?t } INSERT { ?c kg:claimText "Accepted at the Moon" } WHERE { { SELECT ?c ?t { ?c kg:claimText ?t } LIMIT 1 } }
# kgsh:VenueClaim-other-field
DELETE { ?c kg:claimField "comments" } INSERT { ?c kg:claimField "journal-ref" } WHERE { { SELECT ?c { ?c kg:claimField "comments" } LIMIT 1 } }
# kgsh:VenueClaim-other-series
DELETE { ?c kg:claimsSeries ?s } WHERE { { SELECT ?c ?s { ?c kg:claimsSeries ?s ; kg:claimsEvent ?e } LIMIT 1 } }
# kgsh:VenueClaim-track-kind
DELETE { ?c kg:track kgs:track-main } INSERT { ?c kg:track kgs:track-workshop } WHERE { { SELECT ?c { ?c kg:track kgs:track-main ; kg:claimsEvent ?e } LIMIT 1 } }
# kgsh:VenueClaim-track-missing
DELETE { ?c kg:track ?t } WHERE { { SELECT ?c ?t { ?c kg:track ?t } LIMIT 1 } }
# kgsh:VenueClaim-presentation-lost
DELETE { ?c kg:presentation ?t } WHERE { ?c kg:presentation ?t }
# kgsh:VenueClaim-no-event-query
DELETE { ?c kg:claimsEvent ?e } WHERE { { SELECT ?c ?e { ?c kg:claimsEvent ?e } LIMIT 1 } }
# kgsh:VenueClaim-place-unfounded
INSERT { ?c kg:placeName "Atlantis" } WHERE { { SELECT ?c { ?c a kg:VenueClaim } LIMIT 1 } }
# kgsh:Conference-label-differs
INSERT { ?e rdfs:label "Another"@en } WHERE { ?e a kg:Conference }
# kgsh:Workshop-other-year
DELETE { ?e kg:editionYear ?y } INSERT { ?e kg:editionYear 1999 } WHERE { ?e a kg:Workshop ; kg:editionYear ?y }
# kgsh:Workshop-label-differs
INSERT { ?e rdfs:label "Another"@en } WHERE { ?e a kg:Workshop }
# kgsh:Proceedings-label-differs
INSERT { ?e rdfs:label "Another"@en } WHERE { ?e a fabio:ConferenceProceedings }
# kgsh:SourceEntry-outside
DELETE { ?e kg:lastLine ?l } INSERT { ?e kg:lastLine 99999 } WHERE { { SELECT ?e ?l { ?e a kg:SourceEntry ; kg:lastLine ?l } LIMIT 1 } }
# kgsh:SourceEntry-ends
DELETE { ?e kg:firstLine ?l } INSERT { ?e kg:firstLine 2 } WHERE { { SELECT ?e ?l { ?e a kg:SourceEntry ; kg:firstLine ?l } LIMIT 1 } }
# kgsh:SourceField-overlap
DELETE { ?f kg:lastLine ?l } INSERT { ?f kg:lastLine ?more } WHERE { { SELECT ?f ?l ?more { ?f kg:field "title" ; kg:lastLine ?l BIND (?l + 3 AS ?more) } LIMIT 1 } }
# kgsh:SourceField-automatic
DELETE { ?f prov:wasAttributedTo ?a } WHERE { { SELECT ?f ?a { ?f prov:wasAttributedTo ?a } LIMIT 1 } }
# kgsh:InferredAffiliation-condition
INSERT { GRAPH <https://w3id.org/confkg/graph/rule/sole-institution> { ?a kg:inferredAffiliation ?i } } WHERE { { SELECT ?a ?i { ?p kg:hasAuthorship ?a ; kg:relevantInstitution ?i, ?j . ?p kg:hasAuthorship ?b FILTER (?i != ?j && ?a != ?b) } LIMIT 1 } }
# kgsh:InferredAffiliation-listed
INSERT { GRAPH <https://w3id.org/confkg/graph/rule/sole-institution> { ?a kg:inferredAffiliation <urn:x:1> } } WHERE { { SELECT ?a { ?a a kg:Authorship } LIMIT 1 } }
