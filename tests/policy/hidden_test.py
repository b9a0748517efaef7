#!/usr/bin/env python3
"""Values of .env are *** wherever a file's own words are kept or told: in a service's log and error, in engine_status, in raised errors."""

import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import PERIGEE, Place, call, text_of     # noqa: E402
from tools import until                           # noqa: E402
import tap                                        # noqa: E402

VALUE = "Zq7ENVSECRETvalue99"
ALLOW = "return { rules = { { allow = true } } }"
SERVICE = f'return {{ description = "Fails.", start = function(context) context.log("has {VALUE} here") error("broke at {VALUE}") end }}'
RAISES = f'return {{ description = "Raises.", inputSchema = {{ type = "object" }}, run = function() error("no {VALUE} there") end }}'


def values_of_the_env_file():
    with Place(ALLOW, raises=RAISES) as place:
        place.put("home/.env", f"MY_API_KEY={VALUE}\n")
        os.chmod(place.folder / "home/.env", 0o600)
        place.put("home/services/fails.lua", SERVICE)
        with place.serve() as server:
            def log():
                return subprocess.run([PERIGEE, "service", "log", "fails"], env={**os.environ, **place.env}, capture_output=True, text=True,
                                      timeout=120).stdout
            said = until(lambda: "broke at" in log() and log(), "the service's log")
            assert VALUE not in said and "has *** here" in said and "broke at ***" in said, said
            said = json.dumps(call(server, "engine_status")[0])
            assert VALUE not in said and "broke at ***" in said, said
            said = text_of(call(server, "raises")[0])
            assert "no *** there" in said and VALUE not in said, said


tap.case("values of .env", values_of_the_env_file)
tap.done()
