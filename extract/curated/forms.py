"""The parts that the forms of curated files are made of: tables without unknown keys, and fields that state their rule.

A form is a pydantic model. Its fields are the keys of a table; a key without a default must be there.
"""

from collections.abc import Collection
from typing import Annotated, Any, ClassVar, TypeVar

from pydantic import BaseModel, ConfigDict, Field, GetPydanticSchema, StringConstraints, model_validator
from pydantic_core import PydanticCustomError
from pydantic_core.core_schema import custom_error_schema

Item = TypeVar("Item")


def _rule(words: str) -> GetPydanticSchema:
    """Return an annotation with the words of the message for a value that breaks the field's type or constraints."""
    return GetPydanticSchema(
        lambda source, handler: custom_error_schema(
            handler(source), custom_error_type="rule", custom_error_message=words
        )
    )


_WRITTEN = StringConstraints(pattern=r"\S")
_HYPHENED = StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")
_DAY = StringConstraints(pattern=r"^\d{4}-\d\d-\d\d$")
Text = Annotated[str, _WRITTEN, _rule("must be a text that is not empty")]
Remark = Annotated[str, _rule("must be a text")]
Flag = Annotated[bool, _rule("must be true or false")]
Whole = Annotated[int, _rule("must be a whole number")]
Second = Annotated[int, _rule("must be whole seconds")]
Date = Annotated[str, _DAY, _rule('must be a date such as "2021-05-04"')]
Reason = Annotated[str, _WRITTEN, _rule("has no reason")]
Id = Annotated[str, _HYPHENED, _rule("is no id: lower-case letters, digits and single hyphens")]
ListOf = Annotated[tuple[Item, ...], Field(strict=False)]  # strict would ask for a Python tuple
TextList = ListOf[Text]
Reasons = dict[str, Reason]
"""From the id of another concept to the reason, as a teacher would say it: `hear.functionalization = "..."`."""


class TomlTable(BaseModel):
    """A table of a curated file; an unknown key is a mistake, and the message suggests the nearest known one."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)
    besides: ClassVar[Collection[str] | None] = ()
    """Keys that are no fields and may be there; None: any."""

    @model_validator(mode="before")
    @classmethod
    def _refuse_unknown_keys(cls, given: Any) -> Any:
        if cls.besides is not None and isinstance(given, dict):
            known = [*(field.alias or name for name, field in cls.__pydantic_fields__.items()), *cls.besides]
            for key in given:
                if key not in known:
                    raise PydanticCustomError("unknown", "is unknown", {"key": key, "known": known})
        return given
