"""The door over HTTP and WebSocket: routes, credentials, headers, limits."""
