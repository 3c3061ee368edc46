"""The program of the process that draws: a Vega-Lite specification a line in, a reply a line out, until input ends.

It runs by its path and imports nothing of this project, so it starts fast and holds only the renderer.
"""

import json
import sys


def main() -> None:
    """Serve until the other side closes the pipe."""
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(json.dumps(_reply(line.decode())).encode() + b"\n")
        sys.stdout.buffer.flush()


def _reply(specification: str) -> dict[str, str]:
    try:
        import vl_convert

        return {"svg": vl_convert.vegalite_to_svg(specification, allowed_base_urls=[])}
    except Exception as error:  # noqa: BLE001 - whatever it is, the other process has to say it
        return {"error": f"{type(error).__name__}: {error}"}


if __name__ == "__main__":
    main()
