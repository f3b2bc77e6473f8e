import Box from '@mui/material/Box'
import { EmptyDrawing } from '../../ui/empty/EmptyDrawing.tsx'
import { EmptyState } from '../../ui/empty/EmptyState.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { chatStrings } from '../strings.ts'

/** Shown next to the list while no conversation is open. */
export function NoConversation() {
  useTitle(chatStrings.title)
  return (
    <Box sx={{ height: '100%', display: 'grid', placeItems: 'center' }}>
      <EmptyState drawing={<EmptyDrawing subject="chat" />} text={chatStrings.noneOpen} />
    </Box>
  )
}
