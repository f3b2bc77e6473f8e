import AddRounded from '@mui/icons-material/AddRounded'
import CloseRounded from '@mui/icons-material/CloseRounded'
import FileDownloadOutlined from '@mui/icons-material/FileDownloadOutlined'
import RemoveRounded from '@mui/icons-material/RemoveRounded'
import Box from '@mui/material/Box'
import CircularProgress from '@mui/material/CircularProgress'
import IconButton from '@mui/material/IconButton'
import { useRef } from 'react'
import { useMessagePhoto } from '../../api/images.ts'
import { t } from '../../i18n/translate.ts'
import { isNative } from '../../platform/is-native.ts'
import { Dialog } from '../../ui/overlays/Dialog.tsx'
import type { ShownPhoto } from './shown-photo.ts'
import { useZoom } from './use-zoom.ts'
import { scales } from './zoom.ts'

interface Props {
  open: boolean
  photo: ShownPhoto
  onClose: () => void
}

/** A photo of a message on the whole screen. */
export function PhotoViewer({ open, photo, onClose }: Props) {
  const { messageId, label, caption, width, height } = photo
  const frame = useRef<HTMLDivElement>(null)
  const full = useMessagePhoto(messageId, 'full')
  const thumb = useMessagePhoto(messageId, 'thumb')
  const url = full.url ?? thumb.url
  const { view, zoomBy, handleKeyDown, handlers } = useZoom(frame, { width, height })

  return (
    <Dialog
      fullScreen
      open={open}
      onClose={onClose}
      onKeyDown={handleKeyDown}
      slotProps={{ paper: { 'aria-label': label, sx: { bgcolor: '#000', color: '#fff', overflow: 'hidden' } } }}
    >
      <Box
        sx={{
          position: 'absolute',
          zIndex: 1,
          insetInline: 0,
          top: 0,
          display: 'flex',
          gap: 1,
          p: 1,
          pt: 'calc(8px + var(--sat))',
          '& .MuiIconButton-root': { color: '#fff', bgcolor: 'rgb(0 0 0 / 0.55)' },
          '& .MuiIconButton-root:hover': { bgcolor: 'rgb(60 60 60 / 0.8)' },
        }}
      >
        <IconButton title={t('chat.photo.close')} onClick={onClose} autoFocus>
          <CloseRounded />
        </IconButton>
        <Box sx={{ flex: 1 }} />
        <IconButton title={t('chat.photo.zoomOut')} onClick={() => zoomBy(1 / scales.step)}>
          <RemoveRounded />
        </IconButton>
        <IconButton title={t('chat.photo.zoomIn')} onClick={() => zoomBy(scales.step)}>
          <AddRounded />
        </IconButton>
        {/* The web views of the packaged apps cannot download files. */}
        {!isNative() && (
          <IconButton
            title={t('chat.photo.save')}
            aria-disabled={full.url === undefined}
            onClick={() => full.url !== undefined && save(full.url, photo)}
          >
            <FileDownloadOutlined />
          </IconButton>
        )}
      </Box>
      <Box
        ref={frame}
        {...handlers}
        sx={{
          position: 'relative',
          flex: 1,
          minHeight: 0,
          display: 'grid',
          gridTemplate: 'minmax(0, 1fr) / minmax(0, 1fr)',
          placeItems: 'center',
          overflow: 'hidden',
          touchAction: 'none',
          cursor: view.scale > 1 ? 'grab' : 'zoom-in',
        }}
      >
        {url === undefined ? (
          full.state === 'loading' ? (
            <CircularProgress aria-label={t('chat.photo.loading')} sx={{ color: '#fff' }} />
          ) : (
            <p role="status">{full.state === 'gone' ? t('chat.photo.gone') : t('chat.photo.failed')}</p>
          )
        ) : (
          <Box
            component="img"
            src={url}
            alt={label}
            draggable={false}
            width={width}
            height={height}
            style={{ transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})` }}
            sx={{
              gridArea: '1 / 1',
              // The size does not depend on what is loaded: the thumbnail, the photo or neither of them yet.
              width: `min(100%, ${width}px)`,
              height: 'auto',
              maxHeight: '100%',
              objectFit: 'contain',
              userSelect: 'none',
              transitionProperty: 'none',
            }}
          />
        )}
      </Box>
      {caption !== '' && (
        <Box
          component="p"
          dir="auto"
          sx={{
            m: 0,
            px: 2,
            py: 1.5,
            pb: 'calc(12px + var(--sab))',
            maxHeight: '30vh',
            overflowY: 'auto',
            whiteSpace: 'pre-wrap',
            overflowWrap: 'anywhere',
          }}
        >
          {caption}
        </Box>
      )}
    </Dialog>
  )
}

function save(url: string, { createdAt }: ShownPhoto) {
  const link = document.createElement('a')
  link.href = url
  link.download = `Hither ${createdAt.slice(0, 19).replaceAll(':', '-').replace('T', ' ')}.webp`
  link.click()
}
