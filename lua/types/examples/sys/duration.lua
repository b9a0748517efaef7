local duration = require "sys.duration"

--- parse
print(duration.parse "1h30m", duration.parse "2 days 3 hours", duration.parse "PT1H30M")   --> 5400	183600	5400
print(select(3, duration.parse "soon"))                                                    --> not_a_duration

--- format
print(duration.format(93784), duration.format(93784, 2), duration.format(0.25))   --> 1d2h3m4s	1d2h	250ms

--- relative
print(duration.relative(180), duration.relative(-7200))   --> in 3 minutes	2 hours ago
