import Box from '@mui/material/Box'
import { EmptyDrawing } from '../ui/EmptyDrawing.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { useTitle } from '../ui/use-title.ts'
import { chatStrings } from './strings.ts'

/** Beside the list, as long as none of it is open. */
export function NoConversation() {
  useTitle(chatStrings.title)
  return (
    <Box sx={{ height: '100%', display: 'grid', placeItems: 'center' }}>
      <EmptyState drawing={<EmptyDrawing subject="chat" />} text={chatStrings.noneOpen} />
    </Box>
  )
}
