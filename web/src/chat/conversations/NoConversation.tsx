import Box from '@mui/material/Box'
import { t } from '../../i18n/translate.ts'
import { EmptyDrawing } from '../../ui/empty/EmptyDrawing.tsx'
import { EmptyState } from '../../ui/empty/EmptyState.tsx'
import { useTitle } from '../../ui/use-title.ts'

/** Shown next to the list while no conversation is open. */
export function NoConversation() {
  useTitle(t('chat.title'))
  return (
    <Box sx={{ height: '100%', display: 'grid', placeItems: 'center' }}>
      <EmptyState drawing={<EmptyDrawing subject="chat" />} text={t('chat.noneOpen')} />
    </Box>
  )
}
