import type { MessagePhoto } from '@hither/contract/messages/message-parts.ts'
import type { Message } from '@hither/contract/messages/messages.ts'
import ImageNotSupportedOutlined from '@mui/icons-material/ImageNotSupportedOutlined'
import RefreshRounded from '@mui/icons-material/RefreshRounded'
import Box from '@mui/material/Box'
import ButtonBase from '@mui/material/ButtonBase'
import Skeleton from '@mui/material/Skeleton'
import { useEffect } from 'react'
import { refreshMessagePhoto, useMessagePhoto } from '../../api/images.ts'
import { t } from '../../i18n/translate.ts'
import { senderNameOf } from '../messages/message-text.ts'
import { previewOf } from '../outbox/photo-outbox.ts'
import { coverFrame, PhotoFrame } from './PhotoFrame.tsx'
import { bubbleSize } from './photo-size.ts'
import { showPhoto } from './shown-photo.ts'

interface Props {
  message: Message
  photo: MessagePhoto
  isOwn: boolean
}

/** The photo of a message in its bubble. A tap shows it on the whole screen. */
export function SentPhoto({ message, photo, isOwn }: Props) {
  const { id, client_id, created_at } = message
  const { caption, width, height } = photo
  const isErased = width === null || height === null
  const { url: loadedUrl, state } = useMessagePhoto(isErased ? null : id, 'thumb')
  const url = loadedUrl ?? (isOwn ? previewOf(client_id) : undefined)
  const label = isOwn
    ? caption === ''
      ? t('chat.photo.own')
      : t('chat.photo.ownWithCaption', { caption })
    : caption === ''
      ? t('chat.photo.of', { name: senderNameOf(message) })
      : t('chat.photo.ofWithCaption', { name: senderNameOf(message), caption })

  useEffect(() => {
    if (state !== 'failed') return
    const retry = () => void refreshMessagePhoto(id)
    addEventListener('online', retry)
    return () => removeEventListener('online', retry)
  }, [id, state])

  if (isErased || state === 'gone') return <NoPhoto />
  function handleOpen() {
    const size = width === null || height === null ? bubbleSize(width, height) : { width, height }
    showPhoto({ messageId: id, label, caption, ...size, createdAt: created_at })
  }
  return (
    <PhotoFrame width={width} height={height}>
      {url !== undefined ? (
        <ButtonBase
          aria-haspopup="dialog"
          onClick={(event) => {
            event.stopPropagation()
            handleOpen()
          }}
          sx={{
            width: '100%',
            height: '100%',
            '&:focus-visible': { outline: '3px solid', outlineColor: 'primary.light', outlineOffset: -3 },
          }}
        >
          <Box component="img" src={url} alt={label} draggable={false} sx={coverFrame} />
        </ButtonBase>
      ) : state === 'failed' ? (
        <ButtonBase
          onClick={(event) => {
            event.stopPropagation()
            void refreshMessagePhoto(id)
          }}
          sx={{ width: '100%', height: '100%', flexDirection: 'column', gap: 0.5, p: 1, fontSize: '0.8125rem' }}
        >
          <RefreshRounded aria-hidden />
          {t('chat.photo.failed')}
        </ButtonBase>
      ) : (
        <Skeleton variant="rectangular" width="100%" height="100%" aria-label={t('chat.photo.loading')} />
      )}
    </PhotoFrame>
  )
}

function NoPhoto() {
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, width: 232, maxWidth: '100%', fontStyle: 'italic' }}>
      <ImageNotSupportedOutlined aria-hidden fontSize="small" />
      {t('chat.photo.gone')}
    </Box>
  )
}
