"""`tools`: the engine's tools as functions of Python.

    tools.list_windows()            waits, and returns the tool's dict; `await tools.list_windows()` is the same
    tools["list-windows"](x=1)      by the tool's own name, where two tools have one identifier
    help(tools.move_window)         its signature, with required parameters first

A call is over when it returns, in coroutines too, because code that forgets an `await` must not click twice at once. Calls
that run together are those of `_call_mcp_tool`.
"""
import json
import keyword

from perigee_python.channel import TOOLS, strings

TYPES = {"string": str, "integer": int, "number": float, "boolean": bool, "array": list, "object": dict}


def identifier(name):
    found = "".join(c if c.isalnum() or c == "_" else "_" for c in name)
    if not found or found[0].isdigit():
        found = "_" + found
    return found + "_" if keyword.iskeyword(found) else found


class Result(dict):
    """A tool's answer, which is there already when it is awaited."""

    def __await__(self):
        return self
        yield       # a generator


class Tool:
    def __init__(self, channel, described):
        self._channel = channel
        self.name = described["name"]
        self.__name__ = self.__qualname__ = described.get("python") or identifier(self.name)
        self.__doc__ = described.get("description")
        given = described.get("params")
        self._any = given is None           # parameters are not known
        self.parameters = [dict(each, python=each.get("python") or identifier(each["name"])) for each in given or []]
        self.parameters.sort(key=lambda each: not each.get("required"))
        self._names = {each["python"]: each["name"] for each in self.parameters}
        self._names.update((each["name"], each["name"]) for each in self.parameters)

    @property
    def __signature__(self):
        import inspect
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        none = inspect.Parameter.empty
        made = [inspect.Parameter(each["python"], kind, default=none if each.get("required") else None,
                                  annotation=TYPES.get(each.get("type"), none)) for each in self.parameters]
        return inspect.Signature(made)

    def __call__(self, *values, **named):
        found = self._channel.call(self.name, self._arguments(values, named))
        return Result(found) if isinstance(found, dict) else found

    def _arguments(self, values, named):
        if len(values) > len(self.parameters):
            raise TypeError(f"{self.__name__}() has {len(self.parameters)} parameters, and {len(values)} values were given: "
                            "name them")
        arguments = {each["name"]: value for each, value in zip(self.parameters, values)}
        for key, value in named.items():
            name = key if self._any else self._names.get(key)
            if name is None:
                raise TypeError(f"{self.__name__}() has no parameter {key!r}. It has {self._listed()}")
            if name in arguments:
                raise TypeError(f"{self.__name__}() got {key!r} twice")
            arguments[name] = value
        missing = [each["python"] for each in self.parameters if each.get("required") and each["name"] not in arguments]
        if missing:
            raise TypeError(f"{self.__name__}() needs {', '.join(missing)}")
        return arguments

    def _listed(self):
        return ", ".join(each["python"] for each in self.parameters) or "none"

    def __repr__(self):
        return f"<tool {self.name}({self._listed()})>"


class Tools:
    def __init__(self, channel, described):
        self._channel = channel
        self._made = None if described is None else self._make(described)

    def _make(self, described):
        return {each["name"]: Tool(self._channel, each) for each in described}

    def _all(self):
        """The list comes with the job, or on first use."""
        if self._made is None:
            self._made = self._make(json.loads(strings(self._channel.ask(TOOLS))[0]))
        return self._made

    def __getitem__(self, name):
        found = self._all().get(name)
        if found is None:
            raise KeyError(f"no tool {name!r}{self._like(name)}")
        return found

    def __getattr__(self, name):
        if name.startswith("__"):           # Python itself asks objects for much
            raise AttributeError(name)
        found = self._all().get(name)
        if found is None:
            fits = [tool for tool in self._all().values() if tool.__name__ == name]
            if len(fits) != 1:
                raise AttributeError(self._which(name, fits))
            found = fits[0]
        self.__dict__[name] = found
        return found

    def _which(self, name, fits):
        if fits:
            return f"{len(fits)} tools have the name {name} in Python: " + " or ".join(f"tools[{t.name!r}]" for t in fits)
        return f"no tool {name!r}{self._like(name)}"

    def _like(self, name):
        import difflib
        near = difflib.get_close_matches(name, self._all(), 3, 0.5)
        return f". There is {', '.join(near)}" if near else ""

    def __iter__(self):
        return iter(sorted(self._all()))

    def __len__(self):
        return len(self._all())

    def __contains__(self, name):
        return name in self._all()

    def __dir__(self):
        return sorted({tool.__name__ for tool in self._all().values()})

    def __repr__(self):
        return f"<{len(self)} tools>"
