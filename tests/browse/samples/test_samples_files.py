"""What is exported is what the list shows: its filter, its order."""

import csv
import io
import json
from typing import Any

import pytest


def test_a_file_has_the_rows_of_the_list_in_its_order(browser: Any) -> None:
    answer = browser.get("/run/plain__lexical/samples.csv?metric=task_qa/contains&q=tag.kind:habit&sort=-sample")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert answer.headers["content-disposition"] == "attachment; filename*=UTF-8''plain__lexical.samples.csv"
    found = list(csv.DictReader(io.StringIO(answer.text)))
    assert [row["sample"] for row in found] == ["q4", "q3"]
    assert {row["tag.kind"] for row in found} == {"habit"}
    assert {row["metric"] for row in found} == {"contains"}


def test_lines_of_json_and_markdown_have_the_same_rows(browser: Any) -> None:
    lines = browser.get("/run/plain__lexical/samples.jsonl?q=verdict:pass").text.splitlines()
    table = browser.get("/run/plain__lexical/samples.md?q=verdict:pass").text.splitlines()
    assert len(lines) == len(table) - 2 > 0
    assert all(json.loads(line)["verdict"] == "pass" for line in lines)


@pytest.mark.parametrize("asked", ["q=verdict:fial", "sort=nothing", "metric=a/b"])
def test_what_cannot_be_read_is_no_file(browser: Any, asked: str) -> None:
    answer = browser.get(f"/run/plain__lexical/samples.csv?{asked}")
    assert answer.status_code == 400
    assert answer.headers["content-type"].startswith("text/html")


def test_a_list_without_rows_is_a_file_with_a_heading(browser: Any) -> None:
    answer = browser.get("/run/plain__lexical/samples.csv?q=zebra")
    assert answer.text.count("\n") == 1
    assert answer.text.startswith("verdict,")
