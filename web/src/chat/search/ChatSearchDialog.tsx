import type { ConversationId } from '@hither/contract/ids.ts'
import Box from '@mui/material/Box'
import { useTheme } from '@mui/material/styles'
import useMediaQuery from '@mui/material/useMediaQuery'
import { useId, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { Dialog } from '../../ui/overlays/Dialog.tsx'
import { DialogHeading } from '../DialogHeading.tsx'
import { SearchField } from './SearchField.tsx'
import { SearchResults } from './SearchResults.tsx'

interface Props {
  open: boolean
  conversationId: ConversationId
  onClose: () => void
}

/** Searches the messages of one conversation. The text stays, so that the next result can be opened. */
export function ChatSearchDialog({ open, conversationId, onClose }: Props) {
  const id = useId()
  const isPhone = useMediaQuery(useTheme().breakpoints.down('sm'), { noSsr: true })
  const [text, setText] = useState('')
  return (
    <Dialog
      open={open}
      onClose={onClose}
      fullScreen={isPhone}
      fullWidth
      maxWidth="sm"
      aria-labelledby={id}
      slotProps={{ paper: { sx: isPhone ? {} : { height: 'min(640px, calc(100% - 32px))' } } }}
    >
      <DialogHeading id={id} title={t('chat.search.inChat')} closeLabel={t('chat.search.close')} onClose={onClose} />
      <Box sx={{ px: 2, pb: 1.5 }}>
        <SearchField label={t('chat.search.field')} value={text} onChange={setText} autoFocus />
      </Box>
      <Box sx={{ flex: 1, minHeight: 0, overflowY: 'auto', pb: 'calc(8px + var(--sab))' }}>
        <SearchResults text={text} conversationId={conversationId} onOpen={onClose} />
      </Box>
    </Dialog>
  )
}
