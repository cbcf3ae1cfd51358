"""The exceptions: for inputs that the specification refuses, and for the end of a command."""


class Refused(ValueError):
    """An input that the specification refuses; `code` names the rule, the text the fault."""

    def __init__(self, code: str, says: str):
        super().__init__(says)
        self.code = code


class Stop(Exception):
    """Ends a command with an exit code and one line on stderr."""

    def __init__(self, code: int, says: str):
        super().__init__(says)
        self.code = code
