import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { messageStrings } from '../strings.ts'

export function BlockedMessages({ count, onShow }: { count: number; onShow: () => void }) {
  return (
    <Box
      sx={{
        display: 'flex',
        alignItems: 'center',
        justifyContent: 'center',
        gap: 1,
        px: 2,
        py: 0.5,
        color: 'text.secondary',
        fontSize: '0.875rem',
      }}
    >
      {messageStrings.folded(count)}
      <Button size="small" onClick={onShow}>
        {messageStrings.show}
      </Button>
    </Box>
  )
}
