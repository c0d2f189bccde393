// Draws the network of #network-data with sigma: hover shows a node's partners, a click keeps them and lists
// each tie with its papers. All text goes in as text, never as HTML.
"use strict";
(() => {
  const { Graph, Sigma } = window.ConfkgNetwork;
  const data = JSON.parse(document.getElementById("network-data").textContent);
  const root = document.querySelector(".network");
  const canvas = root.querySelector(".canvas");
  const details = root.querySelector(".details");
  const graph = Graph.from(data);
  let chinese = false, hovered = null, chosen = null;
  const name = (node) => (chinese && graph.getNodeAttribute(node, "label_zh")) || graph.getNodeAttribute(node, "label");

  const element = (tag, text, parent) => {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    if (parent) parent.append(made);
    return made;
  };
  const link = (iri, text, parent) => {
    if (!/^https?:/.test(iri)) return element("span", text, parent);
    const made = element("a", text, parent);
    made.href = iri;
    return made;
  };

  let renderer;
  try {
    renderer = new Sigma(graph, canvas, {
      labelRenderedSizeThreshold: 6,
      labelFont: 'system-ui, "Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei", sans-serif',
      defaultEdgeColor: "#c8c8cf",
      zIndex: true,
      nodeReducer: (node, attributes) => {
        const focus = hovered || chosen;
        const shown = { ...attributes, label: name(node) };
        if (!focus) return shown;
        if (node === focus || graph.areNeighbors(node, focus)) return { ...shown, zIndex: 1, forceLabel: true };
        return { ...shown, color: "#e6e6ea", label: null, zIndex: 0 };
      },
      edgeReducer: (edge, attributes) => {
        const focus = hovered || chosen;
        if (!focus) return attributes;
        return graph.hasExtremity(edge, focus) ? { ...attributes, color: "#6b6b76", zIndex: 1 } : { ...attributes, hidden: true };
      },
    });
  } catch (fault) {
    element("p", "This browser cannot draw the network (WebGL is off); the table below holds it.", canvas);
    console.error(fault);
  }
  const refresh = () => renderer && renderer.refresh();

  const overview = () => {
    details.replaceChildren();
    element("h2", "Overview", details);
    const list = element("dl", undefined, details);
    for (const [key, value] of Object.entries(graph.getAttribute("summary"))) {
      if (typeof value === "object") continue;
      element("dt", key.replaceAll("_", " "), list);
      element("dd", String(value), list);
    }
    element("p", "Hover or click a node. Each tie lists the papers that it rests on.", details);
  };

  const show = (node) => {
    const attributes = graph.getNodeAttributes(node);
    details.replaceChildren();
    const head = element("h2", undefined, details);
    link(node, attributes.label, head);
    if (attributes.label_zh) element("p", attributes.label_zh, details);
    const list = element("dl", undefined, details);
    const hidden = new Set(["label", "label_zh", "x", "y", "size", "color", "group"]);
    for (const [key, value] of Object.entries(attributes)) {
      if (hidden.has(key) || value === null) continue;
      element("dt", key.replaceAll("_", " "), list);
      element("dd", typeof value === "number" ? String(+value.toPrecision(4)) : String(value), list);
    }
    const ties = graph.edges(node).map((edge) => [edge, graph.opposite(node, edge), graph.getEdgeAttributes(edge)]);
    ties.sort((a, b) => b[2].weight - a[2].weight || name(a[1]).localeCompare(name(b[1])));
    const partners = element("ul", undefined, details);
    for (const [, other, tie] of ties) {
      const item = element("li", undefined, partners);
      const more = element("details", undefined, item);
      element("summary", `${name(other)} (${+tie.weight.toPrecision(4)})`, more);
      const papers = element("ul", undefined, more);
      for (const paper of tie.papers || []) link(paper, paper.replace(/^.*\/paper\//, "paper/"), element("li", undefined, papers));
    }
  };

  const choose = (node) => {
    chosen = node;
    node ? show(node) : overview();
    refresh();
  };
  if (renderer) {
    renderer.on("enterNode", ({ node }) => { hovered = node; refresh(); });
    renderer.on("leaveNode", () => { hovered = null; refresh(); });
    renderer.on("clickNode", ({ node }) => choose(node));
    renderer.on("clickStage", () => choose(null));
  }

  const byName = new Map();
  const names = document.getElementById("network-names");
  graph.forEachNode((node, { label, label_zh }) => {
    for (const text of [label, label_zh]) {
      if (!text || byName.has(text)) continue;
      byName.set(text, node);
      element("option", undefined, names).value = text;
    }
  });
  root.querySelector("input").addEventListener("change", (event) => {
    const node = byName.get(event.target.value);
    if (!node) return;
    choose(node);
    const place = renderer && renderer.getNodeDisplayData(node);
    if (place) renderer.getCamera().animate({ x: place.x, y: place.y, ratio: 0.3 }, { duration: 400 });
  });
  root.querySelector("[data-language]").addEventListener("click", () => {
    chinese = !chinese;
    if (chosen) show(chosen);
    refresh();
  });
  root.querySelector("[data-reset]").addEventListener("click", () => {
    choose(null);
    if (renderer) renderer.getCamera().animatedReset();
  });
  overview();
})();
