"""The WSGI application: what answers at which address, over which store, within which limits."""

from __future__ import annotations

import atexit
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from flask import Flask

from kg.errors import UsageError
from kg.pipeline import base_of
from kg.stores import Store, is_remote, open_store
from server import access, describe, dumps, faults, graph_store, openapi, operations, pages, sparql, update
from server.pool import Pool
from server.remembered import Remembered
from server.settings import Settings

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment


def create_app(store: Store | str, settings: Settings | None = None) -> Flask:
    """The WSGI application over a store.

    Args:
        store: an open store, or its folder or URL. Queries run in processes that open it by its location.
        settings: limits and switches.

    Raises:
        UsageError: the store is only in this process's memory.
        StoreError: there is no such store.
    """
    settings = settings or Settings()
    opened = open_store(store) if isinstance(store, str) else store
    if not opened.location or opened.revision().startswith("memory"):
        raise UsageError("a server needs a store that its worker processes can open: a folder or a URL")
    if settings.updates and settings.token_file is None:
        raise UsageError("writing needs a token file: make one with 'kg token new NAME --token-file FILE'")
    app = Flask(__name__)
    app.config["CONFKG"] = settings
    app.json.ensure_ascii = False  # type: ignore[attr-defined]  # the default provider has it
    pool = Pool(
        opened.location,
        workers=settings.workers,
        waiting=settings.waiting,
        memory=settings.worker_memory,
        writer=settings.updates,
        calling=bool(settings.allow_service),
    )
    atexit.register(pool.close)

    def current() -> Store:
        """The store in its newest state."""
        opened.refresh()
        return opened

    extension: dict[str, Any] = {
        "store": current,
        "base": base_of(opened),
        "pool": pool,
        "revision": lambda: current().revision(),
        "counts": {},
        "remembered": {},
        "figures": operations.Figures(),
        "shelf": dumps.Shelf(),
        "answers": Remembered(0 if is_remote(opened.location) else settings.remember),
    }
    app.extensions["confkg"] = extension
    faults.register(app)
    operations.register(app)
    access.register(app)
    for module in (sparql, update, graph_store, dumps, describe, pages, operations, openapi):
        app.register_blueprint(module.blueprint)
    app.jinja_env.globals.update(href=pages.href, short=pages.short)
    if settings.public_url:
        app.wsgi_app = _seen_at(settings.public_url, app.wsgi_app)  # type: ignore[assignment, method-assign]  # Flask's way
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    return app


def close(app: Flask) -> None:
    """End the application's processes and remove its files."""
    app.extensions["confkg"]["pool"].close()
    app.extensions["confkg"]["shelf"].close()


def _seen_at(url: str, inner: WSGIApplication) -> WSGIApplication:
    """The application as it is seen behind a proxy: the host and scheme of its own links, whatever a client claims.

    Raises:
        UsageError: the URL has no scheme and host, or has a path.
    """
    split = urlsplit(url)
    if split.scheme not in ("http", "https") or not split.netloc or split.path.strip("/"):
        raise UsageError(f"--public-url takes a scheme and a host, such as https://kg.example.org, not {url!r}")

    def outer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        environ |= {"wsgi.url_scheme": split.scheme, "HTTP_HOST": split.netloc}
        return inner(environ, start_response)

    return outer
