# Reads PTX of regions and prints each kernel that asks for registers of another number of blocks than its name says: those of
# `asks_for_3` for 3, unless the policy has blocks of its own, the others for none. Exit status 1 if there is any.
function judge() {
  if (kernel == "") return
  ++seen
  wanted = kernel ~ /asks_for_3/ && kernel !~ /block_level/ ? 3 : 0
  if (blocks != wanted) { print FILENAME ": " kernel " asks for " blocks " blocks, not " wanted; bad = 1 }
  kernel = ""
}
/\.entry / { judge(); kernel = $0; blocks = 0 }
$1 == ".minnctapersm" { blocks = $2 + 0 }
END { judge(); if (!seen) print FILENAME ": no kernel was told"; exit bad || !seen }
