"""Holds graphs against SHACL shapes: reads checks from standard input, writes what came of each."""

import json
import sys

import pyshacl
from rdflib import OWL, RDF, Graph, Namespace

SH = Namespace("http://www.w3.org/ns/shacl#")


def read(text=None, file=None):
    graph = Graph().parse(data=text, source=file, format="turtle")
    graph.remove((None, OWL.imports, None))
    return graph


def name(term):
    return None if term is None else str(term)


def results(graph, shapes):
    _, report, _ = pyshacl.validate(graph, shacl_graph=shapes)
    for result in report.subjects(RDF.type, SH.ValidationResult):
        yield {
            "severity": name(report.value(result, SH.resultSeverity)).removeprefix(SH),
            "focus": name(report.value(result, SH.focusNode)),
            "path": name(report.value(result, SH.resultPath)),
            "value": name(report.value(result, SH.value)),
            "constraint": name(report.value(result, SH.sourceConstraintComponent)).removeprefix(SH).removesuffix("ConstraintComponent"),
        }


given = json.load(sys.stdin)
graphs = {key: read(text=text) for key, text in given["graphs"].items()}
shapes = {key: read(file=file) for key, file in given["shapes"].items()}
found = [list(results(graphs[graph], shapes[key])) for graph, key in given["checks"]]
json.dump({"found": found, "sizes": {key: len(graph) for key, graph in graphs.items()}}, sys.stdout)
