"""Reads a service of OGC API Features by OWSLib, and writes what it found as JSON."""

import json
import sys

from owslib.ogcapi.features import Features

service = Features(sys.argv[1])


def ids(**query):
    found = service.collection_items("ParkingStation", **query)
    return [feature["id"] for feature in found["features"]]


print(
    json.dumps(
        {
            "conformsTo": service.conformance()["conformsTo"],
            "collections": service.feature_collections(),
            "described": service.collection("ParkingStation")["id"],
            "queryables": list(service.collection_queryables("ParkingStation")["properties"]),
            "filtered": ids(filter="scode = 'parking-0002'"),
            "sorted": ids(sortby=("scode", "asc"), limit=2),
            "within": service.collection_items("ParkingStation", bbox=[10, 46, 13, 48])["numberMatched"],
            "one": service.collection_item("ParkingStation", "parking-0002")["id"],
        }
    )
)
