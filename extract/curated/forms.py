"""The parts that the forms of curated files are made of: tables without unknown keys, and fields that state their rule.

A form is a pydantic model. Its fields are the keys of a table; a key without a default must be there.
"""

from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler, StringConstraints, model_validator
from pydantic_core import CoreSchema, InitErrorDetails, PydanticCustomError, ValidationError
from pydantic_core.core_schema import custom_error_schema

Item = TypeVar("Item")


class Rule:
    """An annotation of a field: what the message says when the value breaks the field's type or constraints."""

    def __init__(self, words: str) -> None:
        self.words = words

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return custom_error_schema(handler(source), custom_error_type="rule", custom_error_message=self.words)


Text = Annotated[str, StringConstraints(pattern=r"\S"), Rule("must be a text that is not empty")]
Remark = Annotated[str, Rule("must be a text")]
Whole = Annotated[int, Rule("must be a whole number")]
Second = Annotated[int, Rule("must be whole seconds")]
Date = Annotated[str, StringConstraints(pattern=r"^\d{4}-\d\d-\d\d$"), Rule('must be a date such as "2021-05-04"')]
Reason = Annotated[str, StringConstraints(pattern=r"\S"), Rule("has no reason")]
Id = Annotated[
    str,
    StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$"),
    Rule("is no id: lower-case letters, digits and single hyphens"),
]
ListOf = Annotated[tuple[Item, ...], Field(strict=False)]  # strict would ask for a Python tuple
Texts = ListOf[Text]
Reasons = dict[str, Reason]
"""From the id of another concept to the reason, as a teacher would say it: `hear.functionalization = "..."`."""


class Table(BaseModel):
    """A table of a curated file; an unknown key is a mistake, and the message suggests the nearest known one."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _refuse_unknown_keys(cls, given: Any) -> Any:
        known = [field.alias or name for name, field in cls.__pydantic_fields__.items()]
        if cls.model_config["extra"] == "forbid" and isinstance(given, dict):
            for key in given.keys() - set(known):
                mistake = PydanticCustomError("unknown", "is unknown", {"known": known})
                details = InitErrorDetails(type=mistake, loc=(key,), input=given[key])
                raise ValidationError.from_exception_data(cls.__name__, [details])
        return given
