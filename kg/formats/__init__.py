"""Input formats, one module a file; the file name is the format's name.

A format is a module with ``TITLE`` (one line for ``--help``), ``sniff(name, head) -> bool`` (does this look
like one? ``head`` is the first few kilobytes as text) and ``read(source, lines) -> Iterator[Item]``, a
streaming reader of ``(line number, text without line end)``.
"""
