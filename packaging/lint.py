"""Checks the dashboard and the alerts: each expression parses, and the service has its metrics.
The alerts are those of docs/operators.md, and have every refusal that only the operator can fix.
"""

import json
import re
import sys
from pathlib import Path

import promql_parser
import yaml

# Metrics that Prometheus adds by itself.
OF_PROMETHEUS = {"up": "gauge"}


def described():
    """The metrics of the service by name, with their kinds."""
    text = Path("crates/server/src/metrics.rs").read_text()
    return {name: kind for kind, name in re.findall(r'describe_(\w+)!\(\s*"(\w+)"', text)}


def codes():
    """Every text in the code that could be the code of a refusal."""
    files = [
        *Path("crates/server/src").glob("*.rs"),
        Path("crates/ledger/src/error/facts.rs"),
        Path("crates/ledger/src/store/error.rs"),
    ]
    return {code for file in files for code in re.findall(r'"([a-z-]+)"', file.read_text())}


def for_the_operator():
    """The codes of LedgerError that are answered with 503 and need the operator."""
    error = Path("crates/ledger/src/error/facts.rs").read_text()
    of_ledger = set(re.findall(r'\("([a-z-]+)", Operator, \w+\)', error))
    store = Path("crates/ledger/src/store/error.rs").read_text()
    temporary = set(
        re.findall(r"Self::(\w+)", store[store.index("fn is_temporary") : store.index("fn code")])
    )
    of_store = {
        code
        for name, code in re.findall(r"Self::(\w+) => \"([a-z-]+)\"", store)
        if name not in temporary
    }
    # "not-empty" occurs only when a new ledger is made.
    return of_ledger | of_store - {"not-empty"}


def listed():
    """The alerts of docs/operators.md: metric and threshold."""
    text = re.search(
        r"^Alerts: (.*?)\n\n", Path("docs/operators.md").read_text(), re.DOTALL | re.MULTILINE
    ).group(1)
    return re.findall(r"`(fairdeal_\w+) ([<>=]+ \d+)`", text)


def unmet(rules):
    """The metrics and codes that no alert has."""
    wrong = [
        f"docs/operators.md: no alert on {name} {bound}"
        for name, bound in listed()
        if not any(
            re.search(rf"\b{name}\b", rule) and rule.rstrip().endswith(bound) for rule in rules
        )
    ]
    known = {
        code
        for rule in rules
        for codes in re.findall(r'code=~"([^"]*)"', rule)
        for code in codes.split("|")
    }
    return wrong + [f"no alert has the code {code}" for code in sorted(for_the_operator() - known)]


def selectors(expression):
    """The selectors of an expression, with the functions directly around them."""
    found = []

    def visit(node, around):
        if isinstance(node, promql_parser.VectorSelector):
            found.append((node, around))
        elif isinstance(node, promql_parser.MatrixSelector):
            visit(node.vector_selector, around)
        elif isinstance(node, promql_parser.Call):
            for one in node.args:
                visit(one, node.func.name)
        elif isinstance(node, promql_parser.BinaryExpr):
            visit(node.lhs, None)
            visit(node.rhs, None)
        elif isinstance(
            node, (promql_parser.AggregateExpr, promql_parser.ParenExpr, promql_parser.UnaryExpr)
        ):
            visit(node.expr, None)

    visit(expression, None)
    return found


def faults(text, known, all_codes):
    """The faults of an expression."""
    try:
        parsed = promql_parser.parse(re.sub(r"\$__rate_interval", "5m", text))
    except ValueError as error:
        return [str(error)]
    wrong = []
    for selector, around in selectors(parsed):
        name = re.sub("_(bucket|sum|count)$", "", selector.name)
        kind = known.get(name)
        if kind is None or (name != selector.name) != (kind == "histogram"):
            wrong.append(f"the service has no metric {selector.name}")
        elif (around in ("rate", "increase")) != (kind in ("counter", "histogram")):
            wrong.append(f"{around or 'no function'} around {selector.name}, which is a {kind}")
        for matcher in selector.matchers.matchers:
            if matcher.name == "code":
                wrong += [
                    f"no code {code}" for code in matcher.value.split("|") if code not in all_codes
                ]
    return wrong


def dashboard(path):
    """A name and an expression for each target."""
    for panel in json.loads(Path(path).read_text())["panels"]:
        for target in panel["targets"]:
            yield f"{path}: {panel['title']}", target["expr"]


def alerts(path):
    """The same for each rule."""
    for group in yaml.safe_load(Path(path).read_text())["groups"]:
        for rule in group["rules"]:
            unknown = set(rule) - {"alert", "expr", "for", "labels", "annotations"}
            if unknown or not {"summary", "description"} <= set(rule["annotations"]):
                sys.exit(
                    f"{path}: {rule['alert']}: unknown members {unknown}, or no summary and description"
                )
            yield f"{path}: {rule['alert']}", rule["expr"]


def main():
    grafana, rules = sys.argv[1:]
    known, all_codes = {**described(), **OF_PROMETHEUS}, codes()
    expressions = [*dashboard(grafana), *alerts(rules)]
    wrong = [
        f"{name}: {fault}" for name, text in expressions for fault in faults(text, known, all_codes)
    ]
    shown = {name for name in known if any(name in text for _, text in expressions)}
    wrong += unmet([text for _, text in alerts(rules)])
    wrong += [
        f"{name}: neither the dashboard nor an alert has it"
        for name in sorted(known.keys() - shown)
    ]
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"{len(expressions)} expressions, {len(shown)} metrics")


main()
