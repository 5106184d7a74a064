# What the signing script takes of the package Crypto, where that is missing or too old: keys of ed25519 by way of openssl.
import importlib.util
import os
import subprocess
import sys
import tempfile
import types


def openssl(*args, data=b""):
    return subprocess.run(["openssl", *args], input=data, capture_output=True, check=True).stdout


class Key:
    def __init__(self, der):
        self.der = der

    def public_key(self):
        return Key(openssl("pkey", "-inform", "DER", "-pubout", "-outform", "DER", data=self.der))

    def export_key(self, format):
        return self.der[-32:] if format == "raw" else self.der


class Signer:
    def __init__(self, key):
        self.key = key

    def sign(self, message):
        with tempfile.TemporaryDirectory() as folder:
            names = [os.path.join(folder, name) for name in ("key", "message")]
            for name, content in zip(names, (self.key.der, message)):
                with open(name, "wb") as file:
                    file.write(content)
            key, text = names
            return openssl("pkeyutl", "-sign", "-rawin", "-inkey", key, "-keyform", "DER", "-in", text)


if importlib.util.find_spec("Crypto") is None:
    ecc = types.ModuleType("Crypto.PublicKey.ECC")
    ecc.generate = lambda curve: Key(openssl("genpkey", "-algorithm", curve, "-outform", "DER"))
    ecc.import_key = Key
    eddsa = types.ModuleType("Crypto.Signature.eddsa")
    eddsa.new = lambda key, mode: Signer(key)
    for name, members in {"": {}, ".PublicKey": {"ECC": ecc}, ".Signature": {"eddsa": eddsa}}.items():
        module = types.ModuleType("Crypto" + name)
        vars(module).update(members)
        sys.modules["Crypto" + name] = module
