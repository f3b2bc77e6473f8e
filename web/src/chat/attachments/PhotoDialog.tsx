import type { ConversationId, UserId } from '@hither/contract/ids.ts'
import type { Message } from '@hither/contract/messages/messages.ts'
import { fileLimits } from '@hither/contract/runtime/files.ts'
import { messageLimits } from '@hither/contract/runtime/messages/messages.ts'
import SendRounded from '@mui/icons-material/SendRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useTheme } from '@mui/material/styles'
import useMediaQuery from '@mui/material/useMediaQuery'
import { type KeyboardEvent, type SubmitEvent, useEffect, useId, useState } from 'react'
import { serverNow } from '../../api/server-time.ts'
import { imageError } from '../../api/upload.ts'
import { newId } from '../../device/ids.ts'
import { mirrored } from '../../i18n/language.ts'
import { t } from '../../i18n/translate.ts'
import { ErrorAlert } from '../../ui/ErrorAlert.tsx'
import { Dialog } from '../../ui/overlays/Dialog.tsx'
import { pressedKey } from '../../ui/pressed-key.ts'
import { TextField } from '../../ui/TextField.tsx'
import { DialogHeading } from '../DialogHeading.tsx'
import { putPhotoIntoOutbox } from '../outbox/photo-outbox.ts'
import { quoteOf } from '../quotes.ts'
import type { Size } from './zoom.ts'

interface Props {
  open: boolean
  files: readonly File[]
  conversationId: ConversationId
  viewerId: UserId
  /** The message that the first photo replies to. */
  replyTo: Message | null
  onSend: () => void
  onClose: () => void
}

/** The chosen photos, one after the other, each with its own caption. */
export function PhotoDialog({ open, files, conversationId, viewerId, replyTo, onSend, onClose }: Props) {
  const id = useId()
  const isPhone = useMediaQuery(useTheme().breakpoints.down('sm'), { noSsr: true })
  const [shown, setShown] = useState({ files, index: 0 })
  if (shown.files !== files) setShown({ files, index: 0 })
  const file = shown.files[shown.index]
  const count = shown.files.length

  function handleNext() {
    if (shown.index + 1 < count) setShown({ files, index: shown.index + 1 })
    else onClose()
  }

  function handleSend(caption: string, size: Size | null) {
    if (file === undefined) return
    void putPhotoIntoOutbox(viewerId, {
      client_id: newId(),
      conversation_id: conversationId,
      content: caption,
      created_at: new Date(serverNow()).toISOString(),
      state: 'waiting',
      ...(replyTo !== null && { reply_to: quoteOf(replyTo) }),
      photo: { file, width: size?.width ?? null, height: size?.height ?? null, photo_id: null },
    })
    onSend()
    handleNext()
  }

  return (
    <Dialog open={open} onClose={onClose} fullScreen={isPhone} fullWidth maxWidth="sm" aria-labelledby={id}>
      <DialogHeading id={id} title={t('chat.photo.title')} closeLabel={t('chat.photo.close')} onClose={onClose}>
        {count > 1 && (
          <Box component="span" sx={{ typography: 'body2', color: 'text.secondary' }}>
            {t('chat.photo.position', { number: shown.index + 1, count })}
          </Box>
        )}
      </DialogHeading>
      {file && (
        <PhotoForm
          key={shown.index}
          file={file}
          isLast={shown.index + 1 === count}
          onSend={handleSend}
          onSkip={handleNext}
        />
      )}
    </Dialog>
  )
}

interface FormProps {
  file: File
  isLast: boolean
  onSend: (caption: string, size: Size | null) => void
  onSkip: () => void
}

function PhotoForm({ file, isLast, onSend, onSkip }: FormProps) {
  const [caption, setCaption] = useState('')
  const [size, setSize] = useState<Size | null>(null)
  const [url, setUrl] = useState<string | null>(null)
  const [isUnreadable, setIsUnreadable] = useState(false)
  const hasKeyboard = useMediaQuery('(hover: hover)', { noSsr: true })
  const errorText = imageError(file, fileLimits.messagePhotoBytes, t('errors.message_photo_too_large'))

  useEffect(() => {
    const created = URL.createObjectURL(file)
    setUrl(created)
    return () => URL.revokeObjectURL(created)
  }, [file])

  function handleSubmit(event: SubmitEvent | KeyboardEvent) {
    event.preventDefault()
    if (errorText === null) onSend(caption.trim(), size)
  }

  function handleKey(event: KeyboardEvent) {
    if (pressedKey(event) !== 'Enter' || event.shiftKey) return
    handleSubmit(event)
  }

  if (errorText !== null) {
    return (
      <Box sx={{ p: 2, display: 'grid', gap: 2 }}>
        <ErrorAlert message={errorText} />
        <Button variant="outlined" onClick={onSkip} autoFocus>
          {isLast ? t('chat.photo.close') : t('chat.photo.skip')}
        </Button>
      </Box>
    )
  }
  return (
    <Box
      component="form"
      onSubmit={handleSubmit}
      sx={{
        flex: 1,
        minHeight: 0,
        display: 'flex',
        flexDirection: 'column',
        gap: 1.5,
        px: 2,
        pb: 'calc(16px + var(--sab))',
      }}
    >
      <Box
        sx={{
          flex: 1,
          minHeight: { xs: 120, sm: 280 },
          maxHeight: { sm: '56vh' },
          display: 'grid',
          gridTemplateRows: 'minmax(0, 1fr)',
          gridTemplateColumns: 'minmax(0, 1fr)',
          placeItems: 'center',
          borderRadius: '16px',
          overflow: 'hidden',
          bgcolor: 'action.hover',
          color: 'text.secondary',
        }}
      >
        {isUnreadable ? (
          <p>{t('chat.photo.noPreview')}</p>
        ) : (
          url !== null && (
            <Box
              component="img"
              src={url}
              alt={t('chat.photo.preview')}
              onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => setSize({ width, height })}
              onError={() => setIsUnreadable(true)}
              sx={{ maxWidth: '100%', maxHeight: '100%', objectFit: 'contain' }}
            />
          )
        )}
      </Box>
      <Box sx={{ display: 'flex', alignItems: 'flex-end', gap: 1 }}>
        <TextField
          fullWidth
          multiline
          maxRows={4}
          placeholder={t('chat.photo.caption')}
          value={caption}
          onChange={(event) => setCaption(event.target.value)}
          onKeyDown={handleKey}
          autoFocus={hasKeyboard}
          sx={{ '& textarea::placeholder': { color: 'text.secondary', opacity: 1 } }}
          slotProps={{
            htmlInput: {
              'aria-label': t('chat.photo.caption'),
              maxLength: messageLimits.contentMax,
              dir: 'auto',
              enterKeyHint: 'send',
            },
          }}
        />
        <Button
          type="submit"
          variant="contained"
          size="large"
          endIcon={<SendRounded sx={mirrored} />}
          autoFocus={!hasKeyboard}
          sx={{ flexShrink: 0, height: 56 }}
        >
          {t('chat.photo.send')}
        </Button>
      </Box>
    </Box>
  )
}
