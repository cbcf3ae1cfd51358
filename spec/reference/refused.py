"""The one exception for inputs that the specification refuses."""


class Refused(ValueError):
    """An input that the specification refuses; `code` names the rule, the text the fault."""

    def __init__(self, code: str, says: str):
        super().__init__(says)
        self.code = code
