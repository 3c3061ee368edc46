"""What is saved of a configuration names variables and never holds a key."""

import pytest

from heta_framework.common.config import without_secrets


@pytest.mark.parametrize(
    ("written", "saved"),
    [
        ({"api_key": "sk-123"}, {"api_key": "***"}),
        ({"api_key": "${OPENAI_API_KEY}"}, {"api_key": "${OPENAI_API_KEY}"}),
        ({"headers": {"Authorization": "Bearer abc"}}, {"headers": {"Authorization": "***"}}),
        ({"headers": {"Authorization": "Bearer ${TOKEN}"}}, {"headers": {"Authorization": "Bearer ${TOKEN}"}}),
        ({"api_key": "${KEY:-sk-123}"}, {"api_key": "***"}),
        ({"secrets": {"a": ["x", 1, None]}}, {"secrets": {"a": ["***", 1, None]}}),
        ({"max_tokens": 5, "command": ["python3", "x.py"]}, {"max_tokens": 5, "command": ["python3", "x.py"]}),
        ({"api_key_env": "OPENAI_API_KEY"}, {"api_key_env": "OPENAI_API_KEY"}),
        ([{"password": "p"}], [{"password": "***"}]),
    ],
)
def test_secrets_are_hidden_and_variables_kept(written: object, saved: object) -> None:
    assert without_secrets(written) == saved
