--- Commands that check the script which they read, and run none of it: for the tool that validates scripts, and for the policy,
--- which does not ask about them.
--
-- Each is complete as it is here. With any other word it is another command, and judged as such.

local M = {}

--- Parses and compiles Python without running it. The text is the standard input and never a file of the source, so no declared
--- encoding is looked up. Nobody's module is imported: the interpreter is started without the user's and the site's folders.
local PYTHON = [[
import ast, json, sys, warnings

def place(each):
    return {"line": each.lineno or 1, "column": max(each.offset or 1, 1), "message": each.msg}

found, told, awaits = [], [], []
with warnings.catch_warnings(record=True) as noted:
    warnings.simplefilter("always")
    try:
        text = sys.stdin.buffer.read().decode("utf-8")
        text = text[1:] if text[:1] == chr(0xFEFF) else text  # the mark that a file may begin with
        tree = ast.parse(text, "<script>")
        try:
            compile(tree, "<script>", "exec", dont_inherit=True)
        except SyntaxError as error:
            compile(tree, "<script>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
            awaits = [{**place(error), "message": error.msg + ", which only execute_python_code takes"}]
    except SyntaxError as error:
        found.append(place(error))
    except (RecursionError, MemoryError):
        found.append({"line": 1, "column": 1, "message": "the script nests too deeply for Python's parser"})
    except ValueError as error:
        found.append({"line": 1, "column": 1, "message": str(error)})
    told = [{"line": each.lineno, "column": 1, "message": str(each.message)} for each in noted]
print(json.dumps({"errors": found, "warnings": told + awaits}))
]]

--- Finds the first of several texts that is code in Python and compiles, and the tools that it calls, without running any: the
--- standard input is a list of texts in JSON. A text of words alone, without a call, is not taken for code. Of each text before
--- the one that is chosen, the fault is told; null: it is not taken for code.
local PYTHON_CALLS = [[
import ast, json, sys, warnings

def place(each):
    return {"line": each.lineno or 1, "column": max(each.offset or 1, 1), "message": each.msg}

def is_code(tree):
    return any(not isinstance(each, ast.Expr) for each in tree.body) or any(
        isinstance(each, (ast.Call, ast.Await)) for each in ast.walk(tree))

def own_names(tree):
    for each in ast.walk(tree):
        if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load):
            yield each.id
        elif isinstance(each, ast.arg):
            yield each.arg
        elif isinstance(each, ast.alias):
            yield (each.asname or each.name).split(".")[0]
        elif isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield each.name

def text_of(node):
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None

def called(tree):
    own, found, seen = set(own_names(tree)), [], set()
    def add(node, way, name):
        seen.add(id(node))
        found.append({"line": node.lineno, "way": way, "name": name})
    def is_name(node, name):
        return isinstance(node, ast.Name) and node.id == name and name not in own
    for each in ast.walk(tree):
        if isinstance(each, ast.Call) and is_name(each.func, "_call_mcp_tool"):
            names = [word.value for word in each.keywords if word.arg == "tool_name"]
            add(each.func, "name", text_of((each.args or names or [None])[0]))
        elif isinstance(each, ast.Attribute) and is_name(each.value, "tools"):
            add(each.value, "attribute", each.attr)
        elif isinstance(each, ast.Subscript) and is_name(each.value, "tools"):
            add(each.value, "name", text_of(each.slice))
    for each in ast.walk(tree):
        if id(each) not in seen and (is_name(each, "_call_mcp_tool") or is_name(each, "tools")):
            add(each, "name", None)
    return sorted(found, key=lambda each: each["line"]), "_call_mcp_tool" in own

def read(text):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(text, "<code>")
        compile(tree, "<code>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    return tree if is_code(tree) else None

faults, answer = [], {"chosen": None, "calls": [], "replaces": False}
for number, text in enumerate(json.loads(sys.stdin.buffer.read().decode("utf-8"))):
    fault = None
    try:
        tree = read(text)
        if tree:
            answer["chosen"] = number + 1
            answer["calls"], answer["replaces"] = called(tree)
            break
    except SyntaxError as error:
        fault = place(error)
    except (RecursionError, MemoryError):
        fault = {"line": 1, "column": 1, "message": "the code nests too deeply for Python's parser"}
    except ValueError as error:
        fault = {"line": 1, "column": 1, "message": str(error)}
    faults.append(fault)
answer["faults"] = faults
print(json.dumps(answer))
]]

-- -n: read, do not run. -I: no variables, no folder of the user or of the script. -S: no site, so no sitecustomize. -B: writes
-- no compiled files.
M.shell = { "/bin/sh", "-n" }
M.python = { "python3", "-I", "-S", "-B", "-c", PYTHON }
M.python_calls = { "python3", "-I", "-S", "-B", "-c", PYTHON_CALLS }

-- On a Mac. They read their standard input, as they are given no file, and what they compile is thrown away.
M.applescript = { "osacompile", "-l", "AppleScript", "-o", "/dev/null" }
M.javascript = { "osacompile", "-l", "JavaScript", "-o", "/dev/null" }

local ALL = { M.shell, M.python, M.python_calls, M.applescript, M.javascript }


local function equal(one, other)
  if #one ~= #other then return false end
  for i, word in ipairs(one) do
    if word ~= other[i] then return false end
  end
  return true
end


--- True if a command is one of these, word by word.
---@param argv string[]
---@return boolean
function M.is(argv)
  for _, each in ipairs(ALL) do
    if equal(argv, each) then return true end
  end
  return false
end


return M
