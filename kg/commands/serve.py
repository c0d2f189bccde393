"""``kg serve``: a store on the web."""

from __future__ import annotations

from pathlib import Path

import click

from kg.commands import store_option
from kg.stores import default_location, open_store


@click.command()
@click.option("--host", default="127.0.0.1", help="Address to listen at [127.0.0.1: this machine only]")
@click.option("--port", default=8000, type=click.IntRange(0, 65535), help="Port [8000]; 0 takes a free one")
@click.option(
    "--timeout", default=30.0, type=click.FloatRange(min=0, min_open=True), metavar="S", help="Limit of a query [30]"
)
@click.option(
    "--workers", type=click.IntRange(1), metavar="N", help="Processes that answer queries [by the processors]"
)
@click.option("--max-rows", type=click.IntRange(1), metavar="N", help="Rows of an answer [as many as there are]")
@click.option("--max-answer", type=click.IntRange(1), metavar="MIB", help="Size of an answer [as large as it is]")
@click.option(
    "--worker-memory", type=click.IntRange(256), default=4096, metavar="MIB", help="Memory of a process [4096]"
)
@click.option(
    "--remember", type=click.IntRange(0), default=128, metavar="MIB", help="Answers kept until the state changes [128]"
)
@click.option(
    "--patience", type=click.IntRange(1), default=60, metavar="S", help="A client may take nothing for so long [60]"
)
@click.option("--updates", is_flag=True, help="Take updates, from who has a token")
@click.option("--token-file", type=click.Path(path_type=Path), metavar="F", help="Tokens, made by 'kg token new'")
@click.option("--strict", is_flag=True, help="Refuse updates that add violations of the shapes")
@click.option(
    "--allow-service", multiple=True, metavar="URL", help="An endpoint that SERVICE may call [none]; repeatable"
)
@click.option("--public-url", metavar="URL", help="Where a proxy shows this server, e.g. https://kg.example.org")
@click.option("--quiet", is_flag=True, help="Log nothing but writes")
@store_option
def command(
    host: str,
    port: int,
    timeout: float,
    workers: int | None,
    max_rows: int | None,
    max_answer: int | None,
    worker_memory: int,
    remember: int,
    patience: int,
    updates: bool,
    token_file: Path | None,
    strict: bool,
    allow_service: tuple[str, ...],
    public_url: str | None,
    quiet: bool,
    store: str | None,
) -> None:
    """Serve a store: SPARQL 1.1 at /sparql, every IRI at its path, pages at /.

    Read-only, unless --updates is given; then writing needs a token.
    """
    from server import Settings, close, create_app
    from server.stopping import on_signals
    from server.wsgi import serving

    location = store or default_location()
    settings = Settings(
        timeout=timeout,
        workers=workers or Settings().workers,
        max_rows=max_rows,
        max_answer=max_answer and max_answer << 20,
        worker_memory=worker_memory << 20,
        remember=remember << 20,
        patience=patience,
        updates=updates,
        token_file=token_file,
        strict=strict,
        allow_service=frozenset(allow_service),
        public_url=public_url,
        access_log=not quiet,
    )
    app = create_app(open_store(location), settings)
    server = serving(app, host, port)
    on_signals(server, lambda: close(app))
    shown = f"[{host}]" if ":" in host else host
    click.echo(f"Serving {location} at http://{shown}:{server.port}  (Ctrl-C stops)")
    try:
        server.run()
    finally:
        close(app)
