# Reads PTX of regions and prints each kernel that has not the cache hints that its name says: `passes_lines`, with its own logs, stores and
# releases that let their line go first; the others none. No load has one, and nothing asks for lines to stay. Exit status 1 if there is
# any.
function judge() {
  if (kernel == "") return
  ++seen
  wanted = kernel ~ /passes_lines/ && kernel !~ /paged/
  asked += wanted
  if ((stores > 0) != wanted || (releases > 0) != wanted || (goes_first > 0) != wanted || others > 0) {
    print FILENAME ": " kernel " has hints for " stores + 0 " stores, " releases + 0 " releases and " others + 0 " others"
    bad = 1
  }
  kernel = ""
}
/\.entry / { judge(); kernel = $0; stores = releases = goes_first = others = 0 }
/L2::evict_first/ { ++goes_first }
/L2::evict_last|L2::evict_normal/ { ++others }
/L2::cache_hint/ {
  if (/st\.relaxed/) ++stores
  else if (/red\.relaxed/) ++releases
  else ++others
}
END { judge(); if (!asked || asked == seen) print FILENAME ": not both kinds of kernels"; exit bad || !asked || asked == seen }
