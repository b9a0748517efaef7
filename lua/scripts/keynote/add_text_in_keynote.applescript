-- add_text_in_keynote: write in a shape of slide 1. Text in a shape is centred by default.
-- argv: bundle id, document id, place, x, y, width, height, text
-- The geometry is what draw_rectangle printed: a shape of that number that is elsewhere by now is not ours.
-- Prints: the number of characters read back.
on run argv
	set place to (item 3 of argv) as integer
	using terms from application id "com.apple.Keynote"
		tell application id (item 1 of argv)
			tell slide 1 of document id (item 2 of argv)
				if not (exists shape place) then error "the rectangle is gone" number -1728
				set {{px, py}, rw, rh} to {position, width, height} of shape place
				set found to {px as text, py as text, rw as text, rh as text}
				if found is not (items 4 thru 7 of argv) then error "the rectangle was moved or is gone" number -1728
				set object text of shape place to (item 8 of argv)
				set got to (object text of shape place) as text
			end tell
		end tell
	end using terms from
	return (count of characters of got) as text
end run
