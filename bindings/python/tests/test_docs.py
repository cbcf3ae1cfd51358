"""The documentation runs, the types are right, and the stubs are those of the native half."""

from __future__ import annotations

import doctest
import importlib
import os
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

import fairdeal

PACKAGE = ROOT / "bindings/python"
MODULES = sorted(
    f"fairdeal.{found.name}"
    for found in pkgutil.iter_modules(fairdeal.__path__)
    if found.name != "_fairdeal"
)


@pytest.mark.parametrize("module", ["fairdeal", *MODULES])
def test_the_examples_of_a_module_run(module: str) -> None:
    failed, _ = doctest.testmod(importlib.import_module(module), optionflags=doctest.ELLIPSIS)
    assert failed == 0


def test_the_examples_of_the_readme_run() -> None:
    failed, ran = doctest.testfile(
        str(PACKAGE / "README.md"), module_relative=False, optionflags=doctest.ELLIPSIS
    )
    assert failed == 0 and ran > 10


def test_every_function_that_the_package_offers_has_an_example() -> None:
    silent = [
        name
        for name in fairdeal.__all__
        if name not in ("errors",) and ">>>" not in (getattr(fairdeal, name).__doc__ or "")
    ]
    assert silent == ["DoesNotHoldError", "UnavailableError", "UsageError"]


def run(*arguments: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *arguments], cwd=PACKAGE, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_types_are_right() -> None:
    run("mypy", "--config-file", "pyproject.toml", "python/fairdeal")


def test_the_stubs_are_those_of_the_native_half() -> None:
    installed = Path(fairdeal.__file__).parent
    assert (installed / "py.typed").exists() and (installed / "_fairdeal.pyi").exists()
    run(
        "mypy.stubtest",
        "fairdeal._fairdeal",
        "--mypy-config-file",
        os.fspath(PACKAGE / "pyproject.toml"),
    )


def test_no_file_of_the_package_is_longer_than_the_house_allows() -> None:
    files = [
        file
        for kind in ("*.py", "*.pyi", "*.rs")
        for folder in ("python", "src", "tests")
        for file in (PACKAGE / folder).rglob(kind)
    ]
    assert len(files) > 15
    assert [file for file in files if len(file.read_text().splitlines()) > 500] == []
