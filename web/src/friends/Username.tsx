import Typography from '@mui/material/Typography'

/** The username of a user whose display name is shown above it. Nothing for a user without a display name. */
export function Username({
  of: { username, display_name },
}: {
  of: { username: string; display_name: string | null }
}) {
  // Undefined in the session that an earlier version stored.
  if (!display_name) return null
  return (
    <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
      @{username}
    </Typography>
  )
}
