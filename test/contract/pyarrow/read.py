"""Reads the Parquet files and Arrow streams that it is given and prints what PyArrow finds in each."""

import base64
import datetime
import json
import sys

import pyarrow
import pyarrow.ipc
import pyarrow.parquet


def printed(value):
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, datetime.datetime):
        return value.isoformat()
    raise TypeError(type(value))


def read(path):
    if path.endswith(".parquet"):
        file = pyarrow.parquet.ParquetFile(path)
        return file.read(), file.metadata.metadata or {}
    return pyarrow.ipc.open_stream(path).read_all(), {}


def describe(path):
    table, metadata = read(path)
    table.validate(full=True)
    fields = {
        field.name: [
            str(field.type),
            (field.metadata or {}).get(b"ARROW:extension:name", b"").decode(),
        ]
        for field in table.schema
    }
    geo = metadata.get(b"geo")
    return {"fields": fields, "rows": table.to_pylist(), "geo": geo and json.loads(geo)}


print(json.dumps([describe(path) for path in sys.argv[1:]], default=printed))
