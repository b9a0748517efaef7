--- Stand-in for sys.effect: a policy that lets all pass.
local effect = {}

function effect.model() return true end

return effect
