# Reads PTX and prints each access to local memory that is not aligned as its size asks, at an offset from the frame that can
# be told: nvcc 13.0 makes such from classes with members that take no room (claims.cuh). Exit status 1 if there is any.
#
# The frame is aligned to 16 bytes at most, so that an offset tells all.
function offset_of(address, parts) {
  gsub(/[\[\];]/, "", address)
  split(address, parts, "+")
  if (!(parts[1] in at)) return -1
  return at[parts[1]] + parts[2]
}
/\.entry / { delete at }
$1 == "add.u64" && $3 ~ /^%SPL?,$/ { sub(/,/, "", $2); at[$2] = $4 + 0; next }
$1 == "add.s64" { from = $3; sub(/,/, "", from); sub(/,/, "", $2); if (from in at && $4 ~ /^[0-9]+;/) at[$2] = at[from] + $4; next }
$1 ~ /^(ld|st)\.local\./ {
  size = $1; sub(/.*[a-z]/, "", size); size /= 8
  if ($1 ~ /\.v2\./) size *= 2
  if ($1 ~ /\.v4\./) size *= 4
  for (i = 2; i <= NF; ++i) {
    if ($i !~ /^\[/) continue
    place = offset_of($i)
    if (place >= 0 && place % size != 0) { print FILENAME ":" FNR ": " $0 " is at " place; bad = 1 }
    if (place >= 0) ++seen
  }
}
END { if (!seen) print FILENAME ": no access to local memory was told"; exit bad || !seen }
