"""Holds calls to an endpoint back to what it bears, and to the budgets that are set for it."""

from heta_framework.common.models.calls.activity import Activity, sum_of
from heta_framework.common.models.calls.call import Handler, ModelCall, ModelReply
from heta_framework.common.models.calls.endpoint_gate import EndpointGate


class LimitLayer:
    """One gate per model and endpoint. A call holds one of its slots until it has succeeded or failed for good."""

    def __init__(self) -> None:
        self._gates: dict[tuple[str, str], EndpointGate] = {}

    async def __call__(self, call: ModelCall, handle: Handler) -> ModelReply:
        """Let the call through when there is a slot."""
        async with self.gate(call).slot(call.endpoint):
            return await handle(call)

    def gate(self, call: ModelCall) -> EndpointGate:
        """The gate of the call's endpoint, through which each attempt goes."""
        key = (call.model, call.base_url)
        gate = self._gates.get(key)
        if gate is None:
            gate = self._gates.setdefault(key, EndpointGate())
        gate.adopt(call.endpoint)
        return gate

    def activity(self) -> Activity:
        """What goes on at all endpoints now."""
        return sum_of(gate.activity() for gate in list(self._gates.values()))
