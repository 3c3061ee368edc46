"""Small files in binary formats, made by hand, for tests of parsers."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from xml.sax.saxutils import escape

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"


def pdf(texts: Sequence[str], *, trailer: str = "", extra: str = "") -> bytes:
    """A document of one page a text; an empty text has no text layer."""
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(texts)))
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        f"<</Type/Pages/Count {len(texts)}/Kids[{kids}]>>",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    for number, text in enumerate(texts):
        content = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET" if text else ""
        resources = f"/Resources<</Font<</F1 3 0 R>>>>/Contents {5 + 2 * number} 0 R"
        objects.append(f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]{resources}>>")
        objects.append(f"<</Length {len(content)}>>stream\n{content}\nendstream")
    return _assembled([*objects, extra] if extra else objects, trailer)


def encrypted_pdf() -> bytes:
    """A document that opens with a password alone."""
    number = 4
    lock = f"<</Filter/Standard/V 1/R 2/O({'x' * 32})/U({'y' * 32})/P -4>>"
    return pdf([], extra=lock, trailer=f"/Encrypt {number} 0 R/ID[(a)(b)]")


def xlsx(cells: str, *, name: str = "One") -> bytes:
    """A workbook of one sheet, given its rows as XML."""
    sheet = f'<worksheet xmlns="{_MAIN}"><sheetData>{cells}</sheetData></worksheet>'
    entry = f'<sheet name="{escape(name)}" sheetId="1" r:id="rId1"/>'
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="xml" ContentType="application/xml"/></Types>',
        "_rels/.rels": _relation("officeDocument", "xl/workbook.xml"),
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_RELATIONS}"><sheets>{entry}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": _relation("worksheet", "worksheets/sheet1.xml"),
        "xl/worksheets/sheet1.xml": sheet,
    }
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text in parts.items():
            archive.writestr(path, f'<?xml version="1.0"?>{text}')
    return written.getvalue()


def row(number: int, *values: str | float) -> str:
    """A row of a sheet as XML."""
    cells = "".join(_cell(f"{chr(65 + column)}{number}", value) for column, value in enumerate(values))
    return f'<row r="{number}">{cells}</row>'


def _cell(place: str, value: str | float) -> str:
    if isinstance(value, str):
        return f'<c r="{place}" t="inlineStr"><is><t>{escape(value)}</t></is></c>'
    return f'<c r="{place}"><v>{value}</v></c>'


def _relation(kind: str, target: str) -> str:
    relation = f'<Relationship Id="rId1" Type="{_RELATIONS}/{kind}" Target="{target}"/>'
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{relation}</Relationships>'


def _assembled(objects: Sequence[str], trailer: str) -> bytes:
    out = b"%PDF-1.4\n"
    offsets = []
    for number, text in enumerate(objects, start=1):
        offsets.append(len(out))
        out += f"{number} 0 obj\n{text}\nendobj\n".encode("latin-1")
    table = "0000000000 65535 f \n" + "".join(f"{offset:010d} 00000 n \n" for offset in offsets)
    size = len(objects) + 1
    end = f"xref\n0 {size}\n{table}trailer\n<</Root 1 0 R/Size {size}{trailer}>>\nstartxref\n{len(out)}\n%%EOF"
    return out + end.encode("latin-1")
