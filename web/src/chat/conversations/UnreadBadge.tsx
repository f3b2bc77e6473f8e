import Box from '@mui/material/Box'

const cap = 99

/** Screen readers ignore the badge, because the row contains the count as text. */
export function UnreadBadge({ count }: { count: number }) {
  return (
    <Box
      component="span"
      aria-hidden
      sx={{
        flexShrink: 0,
        minWidth: 22,
        height: 22,
        px: 0.75,
        display: 'grid',
        placeItems: 'center',
        borderRadius: 999,
        bgcolor: '#C62A2F',
        color: '#fff',
        fontSize: '0.75rem',
        fontWeight: 700,
      }}
    >
      {count > cap ? `${cap}+` : count}
    </Box>
  )
}
