"""JSON Web Tokens and Keys (RFC 7515, 7517), made with the program openssl: nothing of ours."""

import base64
import hashlib
import hmac
import json
import os
import re
import shutil
import subprocess
import tempfile


def available():
    return shutil.which("openssl") is not None


def encode(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def part(document):
    return encode(document if isinstance(document, bytes) else json.dumps(document).encode())


def openssl(*words, data=None):
    done = subprocess.run(["openssl", *words], input=data, capture_output=True, check=False)
    if done.returncode:
        raise RuntimeError(f"openssl {words[0]}: {done.stderr.decode()}")
    return done.stdout


def der_numbers(der):
    """The two numbers of an ECDSA signature, 32 bytes each."""
    at, out = 2, b""
    for _ in range(2):
        length = der[at + 1]
        out += der[at + 2:at + 2 + length].lstrip(b"\0").rjust(32, b"\0")
        at += 2 + length
    return out


class Key:
    """alg: RS256 or ES256."""

    def __init__(self, alg, kid, bits=2048):
        self.alg, self.kid = alg, kid
        handle, self.path = tempfile.mkstemp(prefix="perigee-key-", suffix=".pem")
        os.close(handle)
        if alg == "RS256":
            openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", f"rsa_keygen_bits:{bits}", "-out", self.path)
        else:
            openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", self.path)

    def remove(self):
        os.remove(self.path)

    def jwk(self):
        common = {"kid": self.kid, "use": "sig", "alg": self.alg}
        if self.alg == "RS256":
            said = openssl("rsa", "-in", self.path, "-noout", "-modulus").decode()
            modulus = bytes.fromhex(re.search("Modulus=([0-9A-F]+)", said).group(1))
            return {"kty": "RSA", "n": encode(modulus), "e": "AQAB", **common}
        point = openssl("pkey", "-in", self.path, "-pubout", "-outform", "DER")[-64:]
        return {"kty": "EC", "crv": "P-256", "x": encode(point[:32]), "y": encode(point[32:]), **common}

    def public_pem(self):
        return openssl("pkey", "-in", self.path, "-pubout")

    def sign(self, claims, **header):
        """A token; members of the header that are None are left out."""
        header = {"alg": self.alg, "typ": "at+jwt", "kid": self.kid, **header}
        text = part({k: v for k, v in header.items() if v is not None}) + "." + part(claims)
        signature = openssl("dgst", "-sha256", "-sign", self.path, data=text.encode())
        if self.alg == "ES256":
            signature = der_numbers(signature)
        return text + "." + encode(signature)


def sign_shared(secret, claims, **header):
    """HS256, with this secret."""
    text = part({"alg": "HS256", "typ": "at+jwt", **header}) + "." + part(claims)
    return text + "." + encode(hmac.new(secret, text.encode(), hashlib.sha256).digest())
