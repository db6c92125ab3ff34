#!/usr/bin/env python3
"""Writes tuple-vectors.tsv: keys as the FoundationDB tuple layer's reference implementation packs them.

    python3 -m venv env && env/bin/pip install foundationdb
    env/bin/python make-tuple-vectors.py > tuple-vectors.tsv

Each line is  tuple TAB key in hexadecimal digits.  Elements are separated by spaces and written as

    null  true  false  int:-5  bytes:<hex>  text:<hex of the UTF-8>  float:<hex of the IEEE bits>  double:<hex of the IEEE bits>
    uuid:<hex>  stamp:<hex>  ( element ... )

The order of the lines is the order in which the reference implementation sorts the tuples (fdb.tuple.compare).
"""
import ctypes
import functools
import importlib.util
import struct
import sys
import types
import uuid
from importlib.metadata import version


def load_tuple_module():
    """fdb.tuple alone: the package around it wants the C client library and a chosen API version."""
    folder = importlib.util.find_spec("fdb").submodule_search_locations[0]
    package = types.ModuleType("fdb")
    package.is_api_version_selected = lambda: False
    package.impl = types.SimpleNamespace(Value=type("Value", (), {}))
    sys.modules["fdb"] = package
    spec = importlib.util.spec_from_file_location("fdb.tuple", folder + "/tuple.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


layer = load_tuple_module()


def single(bits):
    return ctypes.c_float(struct.unpack(">f", struct.pack(">I", bits))[0])


def double(bits):
    return struct.unpack(">d", struct.pack(">Q", bits))[0]


def text(element):
    if element is None:
        return "null"
    if element is True or element is False:
        return str(element).lower()
    if isinstance(element, int):
        return "int:%d" % element
    if isinstance(element, bytes):
        return "bytes:" + element.hex()
    if isinstance(element, str):
        return "text:" + element.encode("utf-8").hex()
    if isinstance(element, ctypes.c_float):
        return "float:" + struct.pack(">f", element.value).hex()
    if isinstance(element, float):
        return "double:" + struct.pack(">d", element).hex()
    if isinstance(element, uuid.UUID):
        return "uuid:" + element.hex
    if isinstance(element, layer.Versionstamp):
        return "stamp:" + element.to_bytes().hex()
    return " ".join(["("] + [text(part) for part in element] + [")"])


def integers():
    numbers = {0, 1, -1, 2, -2, 5551212, -5551212, 1 << 31, -(1 << 31), (1 << 63) - 1, -(1 << 63), (1 << 64) - 1}
    for size in range(1, 17):
        for delta in (-2, -1, 0, 1, 2):
            numbers.add((1 << (8 * size)) + delta)
            numbers.add(-(1 << (8 * size)) + delta)
    for power in (65, 71, 95, 100, 126, 127):
        for delta in (-1, 0, 1):
            numbers.add((1 << power) + delta)
            numbers.add(-(1 << power) + delta)
    # What the typed keys can hold: Int128 downwards, UInt128 upwards.
    return [number for number in numbers if -(1 << 127) <= number < 1 << 128]


STRINGS = ["", "\0", "\0\0", "a", "a\0", "a\0b", "\0a", "ab", "b", "F\u00d4O\0bar", "e\u0301", "\u00e9", "\uffff", "\U0001F600", "\u65e5\u672c\u8a9e",
           "\x01", "\x7f", "hello world", "x" * 300]
BYTES = [b"", b"\0", b"\0\0", b"\0\xff", b"\xff", b"\xff\0", b"\xff\xff", b"foo\0bar", b"foo", b"\x01", b"\0\x01", b"\x00\xff\x00", bytes(range(256))]
SINGLES = [0x00000000, 0x80000000, 0x3F800000, 0xBF800000, 0xC2280000, 0x42280000, 0x00000001, 0x80000001, 0x007FFFFF, 0x00800000, 0x7F7FFFFF,
           0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00000, 0x40490FDB]
DOUBLES = [0x0000000000000000, 0x8000000000000000, 0x3FF0000000000000, 0xBFF0000000000000, 0x4045000000000000, 0xC045000000000000,
           0x0000000000000001, 0x8000000000000001, 0x000FFFFFFFFFFFFF, 0x0010000000000000, 0x7FEFFFFFFFFFFFFF, 0xFFEFFFFFFFFFFFFF,
           0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0xFFF8000000000000, 0x7FF8000000000001, 0x7FFFFFFFFFFFFFFF,
           0xFFFFFFFFFFFFFFFF, 0x400921FB54442D18]
UUIDS = ["00000000000000000000000000000000", "ffffffffffffffffffffffffffffffff", "00112233445566778899aabbccddeeff",
         "f81d4fae7dec11d0a76500a0c91e6bf6"]
STAMPS = ["000000000000000000000000", "0000000000000001000000ff", "00112233445566778899aabb", "fffffffffffffffffffeffff", "ffffffffffffffffffff0000",
          "ffffffffffffffffffff1234"]


def singles():
    yield None
    yield False
    yield True
    yield from integers()
    yield from STRINGS
    yield from BYTES
    yield from map(single, SINGLES)
    yield from map(double, DOUBLES)
    yield from (uuid.UUID(hex=digits) for digits in UUIDS)
    yield from (layer.Versionstamp.from_bytes(bytes.fromhex(digits)) for digits in STAMPS)


def nested():
    yield ()
    yield (None,)
    yield (None, None)
    yield ((),)
    yield ((), ())
    yield ((None,),)
    yield (((), None),)
    yield (((((),),),),)
    yield (b"foo\0bar", None, ())
    yield ("", b"", 0)
    yield ("\0", b"\0", None)
    yield (None, "\xff")
    yield (0, None, (None, 0))
    yield (1,)
    yield (1, None)
    yield (1, None, 2)
    yield (1, ())
    yield (1, 0)
    yield (-1,)
    yield (True, False)
    yield (single(0xC2280000), double(0x3FF0000000000000))
    yield (uuid.UUID(hex=UUIDS[2]), layer.Versionstamp.from_bytes(bytes.fromhex(STAMPS[2])))
    yield ((1 << 100), -(1 << 100))
    deep = ()
    for _ in range(20):
        deep = (deep, None)
    yield deep


def compound():
    yield ()
    yield (None, None)
    yield (None, 1)
    yield ("", "")
    yield ("", b"", None, ())
    yield ("users",)
    yield ("users", 42)
    yield ("users", 42, 1.5)
    yield ("users", 42, None)
    yield ("users", -42)
    yield ("users\0", 42)
    yield ("user", "s", 42)
    yield ((), None)
    yield ((None,), None)
    yield ((1, 2), 3)
    yield (1, (2, 3))
    yield (1, 2, 3)
    yield (True, None, False)
    yield (b"\0", "\0", 0)
    yield (uuid.UUID(hex=UUIDS[3]), 7, "x")
    yield (layer.Versionstamp.from_bytes(bytes.fromhex(STAMPS[1])), "x")
    for first in (None, b"", "a", (), -1, 0, 1, 1.0, True):
        for second in (None, b"\xff", "", (None,), 255, -256, False):
            yield (first, second)


def main():
    tuples = [(element,) for element in singles()] + [(element,) for element in nested()] + list(compound())
    unique = {text(elements): elements for elements in tuples}
    print("# made by make-tuple-vectors.py with foundationdb", version("foundationdb"))
    for elements in sorted(unique.values(), key=functools.cmp_to_key(layer.compare)):
        # pack() refuses incomplete versionstamps, which are legal to read; their bytes are the same without the offset behind them.
        packed = b"".join(layer._encode(element)[0] for element in elements)
        if not layer.has_incomplete_versionstamp(elements):
            assert packed == layer.pack(elements)
        print(text(elements) + "\t" + packed.hex())


main()
