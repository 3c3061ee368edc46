"""A loopback server that speaks OpenAI's protocol, so that libraries with a client of their own take the call path.

A memory library that cannot be handed a model object is pointed by ``base_url`` at a seat of a ``Gateway``. What it
asks there goes through the same layers as every other call (meter, cassette, cache, limit, retry), with the model, key
and sampling of the configuration; the library itself only ever sees a made-up key.
"""

from heta_framework.common.models.gateway.operation import Operation
from heta_framework.common.models.gateway.seat import Seat, SeatModels
from heta_framework.common.models.gateway.server import Gateway

__all__ = ["Gateway", "Operation", "Seat", "SeatModels"]
