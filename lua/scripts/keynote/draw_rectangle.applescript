-- draw_rectangle: a rectangle on slide 1. A new shape of Keynote's is one; its kind cannot be chosen.
-- argv: bundle id, document id, x, y, width, height        (points, whole numbers)
-- Prints: place|x|y|width|height as Keynote settled them. Shapes have no id: `place` is the shape's number on its
-- slide, found by comparing references, and good as long as no earlier shape is deleted.
on run argv
	set x to (item 3 of argv) as integer
	set y to (item 4 of argv) as integer
	set w to (item 5 of argv) as integer
	set h to (item 6 of argv) as integer
	using terms from application id "com.apple.Keynote"
		tell application id (item 1 of argv)
			tell slide 1 of document id (item 2 of argv)
				set newShape to make new shape with properties {position:{x, y}, width:w, height:h}
				set place to 0
				repeat with i from 1 to (count of shapes)
					if shape i is newShape then set place to i
				end repeat
				if place = 0 then set place to (count of shapes)
				set {{px, py}, rw, rh} to {position, width, height} of newShape
			end tell
		end tell
	end using terms from
	return (place as text) & "|" & (px as text) & "|" & (py as text) & "|" & (rw as text) & "|" & (rh as text)
end run
