"""The routes of statements and reports: an address for each, and who asks there."""

_STATEMENT = "/players/{player:str}/statement"

FOR_OPERATORS = {
    f"/operator/v1{_STATEMENT}": "/operator/v1/players/alice/statement?currency=EUR",
    f"/operator/v1{_STATEMENT}.csv": (
        "/operator/v1/players/alice/statement.csv?currency=EUR"
    ),
    "/operator/v1/reports/performance": "/operator/v1/reports/performance",
    "/operator/v1/reports/performance.csv": "/operator/v1/reports/performance.csv",
}
"""Each operator reads them, of its own players."""

FOR_SUPPORT = {
    f"/support/v1{_STATEMENT}": "/support/v1/players/acme.alice/statement?currency=EUR",
    f"/support/v1{_STATEMENT}.csv": (
        "/support/v1/players/acme.alice/statement.csv?currency=EUR"
    ),
    "/support/v1/reports/performance": "/support/v1/reports/performance",
    "/support/v1/reports/performance.csv": "/support/v1/reports/performance.csv",
}
"""Every role reads them, of all."""
