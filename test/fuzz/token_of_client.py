"""A hook of schemathesis: sends the token of a client of the demo, and a new one before it ends."""

import json
import os
import urllib.parse
import urllib.request

import schemathesis

client = os.environ.get("HUB_FUZZ_CLIENT", "")

if client:

    @schemathesis.auth(refresh_interval=120)
    class Token:
        def get(self, case, context):
            form = {"grant_type": "client_credentials", "client_id": client, "client_secret": client}
            url = os.environ["HUB_FUZZ_URL"] + "/auth/realms/hub/protocol/openid-connect/token"
            with urllib.request.urlopen(url, urllib.parse.urlencode(form).encode()) as answer:
                return json.load(answer)["access_token"]

        def set(self, case, data, context):
            case.headers = {**(case.headers or {}), "Authorization": f"Bearer {data}"}
