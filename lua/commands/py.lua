--- perigee py: runs Python code in the jail, with the tools as functions.

local json = require "sys.json"
local run  = require "python.run"

local MOST = 16 << 20   -- bytes of a file, and of output
local SECONDS = 86400


--- The code, and its arguments.
local function code_of(args, io)
  local words = args.arguments or {}
  if args.code then return args.code, { args.file, table.unpack(words) } end
  if not args.file then return nil, "which file? Pass one, - for stdin, or -e CODE", "usage" end
  local code, err, why = io:read(args.file, MOST)
  if not code then return nil, err, why end
  return code, words
end


local function save(outcome, args, io)
  local list = {}
  for _, kind in ipairs { outcome.files, outcome.images } do table.move(kind, 1, #kind, #list + 1, list) end
  if not list[1] then return true end
  if not args.output then
    local names = {}
    for i, file in ipairs(list) do names[i] = file.name end
    io:complain(("not saved: %s. Pass --output DIR"):format(table.concat(names, ", ")))
    return true
  end
  local folder, err, code = io:grant(args.output, "write")
  if not folder then return nil, err, code end
  for _, file in ipairs(list) do
    local ok
    ok, err, code = io:save(("%s/%s"):format(folder, file.name), file.bytes)
    if not ok then return nil, err, code end
  end
  return true
end


--- The end of a run: what was not said yet, the result of the function, and the status.
local function ended(outcome, args, io)
  local dict = outcome.result
  if args.json then
    io:json(dict)
  else
    if dict.stdout ~= "" then io:write(dict.stdout) end
    if dict.stderr ~= "" then io:error(dict.stderr) end
    if dict.function_called and dict.status == "success" and dict.function_result ~= json.null then
      io:print(type(dict.function_result) == "string" and dict.function_result or json.encode(dict.function_result))
    end
  end
  local ok, err, code = save(outcome, args, io)
  if not ok then return nil, err, code end
  if dict.status == "success" then return 0 end
  local status = dict.message:match "^The code ended by sys%.exit%((%d+)%)"
  if not args.json and not (status or outcome.code == "code_failed" and dict.stderr ~= "") then
    io:complain((dict.message:gsub("timeout_seconds %(at most 300%)", "--timeout")))
  end
  return outcome.code == "timeout" and 124 or status and tonumber(status) % 256 or 1
end


local function start(args, io)
  local code, words, why = code_of(args, io)
  if not code then return nil, words, why end
  local outcome, err
  outcome, err, why = run.execute { code = code, args = words[1] and words or nil, seconds = args.timeout or SECONDS,
    output = MOST, on_output = not args.json and function(stream, bytes)
      if stream == "stdout" then io:write(bytes) else io:error(bytes) end
    end or nil }
  if not outcome then return nil, "The code was not run: " .. err, why end
  return ended(outcome, args, io)
end


local function ran(fields)
  local outcome = { files = {}, images = {}, result = { status = "success", stdout = "", stderr = "", function_called = false,
    function_result = json.null, message = "The code ran." } }
  for key, value in pairs(fields) do
    if key == "code" or key == "files" then outcome[key] = value else outcome.result[key] = value end
  end
  return { ["python.run.execute"] = outcome }
end


---@type perigee.Command
return {
  summary     = "run Python code in a jail, with the tools as functions",
  usage       = { "py FILE [ARGUMENT]... [options]", "py -e CODE [ARGUMENT]... [options]" },
  description = "Runs Python in the jail of execute_python_code: no network, no other processes, and files only in a directory "
             .. "of its own. tools.NAME(argument=value) calls a tool. If the code defines generated_function_name, it is called "
             .. "with the arguments, and its result printed. Output is shown as it comes. PERIGEE_CODE_PYTHON names the "
             .. "interpreter, or the directory of a virtual environment; `perigee doctor` says which is used.",
  arguments   = {
    { "file", "file", "the code; - for stdin", optional = true },
    { "arguments", "string", "passed to generated_function_name", optional = true, repeatable = true },
  },
  options     = {
    { "code", "string", "code to run instead of a file", letter = "e", value = "CODE" },
    { "output", "directory", "save files and figures of the code there", letter = "o" },
    { "json", "flag", "print the whole result as one line of JSON" },
    { "timeout", "seconds", "time limit in seconds", absent = "no limit" },
  },
  acts        = true,
  notes       = "Exit status: that of sys.exit() in the code, 0 success, 1 failure, 2 usage error, 124 timeout, 130 interrupted",
  run         = start,

  examples = {
    { "shows what the code printed", args = { "-e", "print(1)" }, given = ran { stdout = "1\n" }, out = "1\n" },
    { "shows the function's result", args = { "-e", "def generated_function_name(a): return [a]", "x" },
      given = ran { function_called = true, function_result = { "x" } }, out = '["x"]\n' },
    { "ends as the code does", args = { "-e", "import sys; sys.exit(3)" }, status = 3,
      given = ran { status = "error", code = "code_failed", message = "The code ended by sys.exit(3)." } },
    { "fails with the traceback", args = { "-e", "1/0" }, status = 1, err = "ZeroDivisionError",
      given = ran { status = "error", code = "code_failed", stderr = "ZeroDivisionError: division by zero\n" } },
    { "needs code", args = {}, status = 2, err = "which file?" },
  },
}
