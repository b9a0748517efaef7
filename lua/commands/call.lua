--- perigee call: calls one tool in this process, without MCP.

local arguments = require "cli.arguments"
local find      = require "cli.find"
local lasting   = require "cli.lasting"
local policy    = require "sys.policy"
local result    = require "cli.result"


--- Calls the tool in the lasting engine, or here.
local function called(tool, given, args, io)
  if lasting.takes(args, tool) then
    local answer, err, code = lasting.call(tool, given, args.timeout, io)
    if code ~= "not_kept" then return answer, err, code end
    io:complain(err .. ". What this call leaves is lost when it ends")
  end
  local answer, err, code = tool.call(given, { timeout = args.timeout })
  -- Other tools with `keeps` also return something, but create nothing that would be lost.
  if answer and not answer.isError and tool.keeps and tool.name:find "^create_" and not lasting.takes(args, tool) then
    io:complain "What this call created ended with it. Leave out the options that change the engine, or use a script"
  end
  return answer, err, code
end


--- Prints the result.
local function show(answer, args, io)
  local timed_out = answer.timed_out
  answer.timed_out, answer.code = nil, nil -- not sent by servers
  local status, err, code = result.show(answer, args, io)
  return timed_out and 124 or status, err, code
end


local function run(args, io)
  if args.attach then
    local answer, err, code = require("cli.attached").call(args, io)
    if not answer then return nil, err, code end
    return show(answer, args, io)
  end
  if args.dry_run then policy.begin_dry_run() end
  local tool, err, code = find.callable(args, args.tool)
  if not tool then return nil, err, code end
  local hint = ("Run `perigee tools %s` for its parameters."):format(tool.name)
  local given
  given, err = arguments.read(tool.inputSchema, args.arguments, args.args, io)
  if not given then return nil, ("%s: %s"):format(tool.name, err), "usage", hint end
  local answer
  answer, err, code = called(tool, given, args, io)
  io:progress()
  if not answer then return nil, err, code == "invalid_arguments" and "usage" or code, hint end
  return show(answer, args, io)
end


---@type perigee.Command
return {
  summary     = "call one tool",
  usage       = { "call TOOL [KEY=VALUE | KEY:=JSON]... [options]",
                  "call --attach [PID] TOOL [KEY=VALUE | KEY:=JSON]... [options]" },
  description = "Calls a tool in this process and prints its result. `perigee call TOOL --help` shows the tool's parameters. "
             .. "KEY=VALUE is read by the tool's parameters: numbers, "
             .. "true or false, lists (a,b,c, or KEY given again). KEY:=JSON is taken as it is, and A.B=VALUE sets B within A. "
             .. "The text of a tool's error is printed on stderr. What a tool asks the user is asked on the terminal. The tool "
             .. "may use files in the current directory and in those of --grant.\n\n"
             .. "Tools whose later calls need what earlier ones left, such as those for slides, are called "
             .. "in an engine that stays. The first such call starts it, and it ends after ten minutes without one. It keeps "
             .. "the environment of that call. A call with another DISPLAY, KEYNOTE_* or PERIGEE_* setting gets an engine of its "
             .. "own; changes of other variables, such as PATH, reach the next engine only. With "
             .. "--root, --toolset, --grant, --mount, --config, --no-user-root or --dry-run nothing stays.\n\nWith --attach "
             .. "the tool is called in an engine that runs already: the only one, or the one whose process id (`perigee ps`) "
             .. "stands before TOOL. The call uses what that engine has, its directories and the state of its tools, and passes "
             .. "its policy as a call from a terminal. Ctrl-C cancels it.",
  arguments   = {
    { "tool", "tool", "the tool, by its name or an alias", missing = "which tool? Run `perigee tools` for the list" },
    { "arguments", "tool_argument", "its arguments", optional = true, repeatable = true },
  },
  options     = {
    { "args", "string", "all arguments as one JSON object; @FILE reads it from a file, - from stdin; KEY=VALUE words come on "
                     .. "top", value = "JSON" },
    { "json", "flag", "print the whole result as one line of JSON" },
    { "output", "file", "save the first image, sound or file of the result; - for stdout", letter = "o" },
    { "attach", "flag", "call it in a running engine" },
    { "dry-run", "flag", "only say what the call would do; it acts on a copy of the desktop" },
    { "timeout", "seconds", "time limit in seconds", absent = "what the tool says, or 60" },
  },
  notes       = "Exit status: 0 success, 1 failure, 2 no such tool or parameter, 3 the tool returned an error or "
             .. "says that it is not done, 124 timeout, 130 interrupted",
  run         = run,

  examples = {
    { "reads words by the schema", args = { "feed", "animal=lion", "grams=5", "kinds=hay,meat" }, out = "eaten\n",
      given = { ["cli.find.callable"] = { name = "feed", inputSchema = { type = "object", properties = {
                    animal = { type = "string" }, grams = { type = "integer" }, kinds = { type = "array" } } },
                  call = function(given)
                    local fits = given.animal == "lion" and given.grams == 5 and table.concat(given.kinds, " ") == "hay meat"
                    return { content = { { type = "text", text = fits and "eaten" or "left" } }, text = "" }
                  end } } },
    { "prints the whole result as JSON", args = { "feed", "--json" }, out = '{"content":[{"text":"x","type":"text"}]}\n',
      given = { ["cli.find.callable"] = { name = "feed", inputSchema = { type = "object" },
                  call = function() return { content = { { type = "text", text = "x" } }, text = "x" } end } } },
    { "tries it without doing anything", args = { "feed", "--dry-run" }, out = "Dry run: would call feed with {}.\n",
      given = { ["sys.policy.begin_dry_run"] = true,
                ["cli.find.callable"] = { name = "feed", inputSchema = { type = "object" }, call = function()
                  return { content = { { type = "text", text = "Dry run: would call feed with {}." } }, text = "" }
                end } } },
    { "fails where the tool does", args = { "feed" }, status = 3, err = "There is no lion.",
      given = { ["cli.find.callable"] = { name = "feed", inputSchema = { type = "object" },
                  call = function() return { content = {}, isError = true, text = "There is no lion." } end } } },
    { "saves an image", args = { "shoot", "-o", "x.png" }, saved = { ["x.png"] = "PNG" }, out = "",
      given = { ["sys.crypto.unbase64"] = "PNG", ["sys.picture_file.look"] = { path = "/x.png", kind = "picture" },
                ["cli.find.callable"] = { name = "shoot", inputSchema = { type = "object" }, call = function()
                  return { content = { { type = "image", data = "UE5H", mimeType = "image/png" } }, text = "" }
                end } } },
    { "never replaces a file that is not an image by one", args = { "shoot", "-o", "notes.txt" }, saved = {}, status = 1,
      err = "notes.txt exists and is not an image. Choose another file",
      given = { ["sys.crypto.unbase64"] = "PNG", ["sys.picture_file.look"] = { path = "/notes.txt", kind = "other" },
                ["cli.find.callable"] = { name = "shoot", inputSchema = { type = "object" }, call = function()
                  return { content = { { type = "image", data = "UE5H", mimeType = "image/png" } }, text = "" }
                end } } },
  },
}
