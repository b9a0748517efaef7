--- Counts, with progress.
local s    = require "schema"
local time = require "sys.time"

return {
  description = "Counts.",
  inputSchema = s.object { { "to", s.integer "How far." }, { "ms", s.number "Between two." } },
  run = function(args, call)
    for i = 1, args.to do
      time.sleep(args.ms / 1000)
      call:progress(i, args.to)
    end
    return "counted to " .. args.to
  end,
}
