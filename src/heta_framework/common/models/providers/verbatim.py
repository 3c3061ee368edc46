"""Requests go to the model word for word.

pydantic-ai adds remarks of its own to a request whose texts look like its frames (``<system>`` ...). That is good for a
product and wrong for a measurement, where an injected instruction must meet the model as it was written. There is no
public switch; requests that are marked as those of judges and summarisers are left alone, so all of ours are marked.
"""

from pydantic_ai._framing import second_model_prompt as word_for_word

__all__ = ["word_for_word"]
