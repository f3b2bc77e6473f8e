import type { Reply } from '@hither/contract/messages/message-parts.ts'
import Box from '@mui/material/Box'
import { visuallyHidden } from '@mui/utils'
import { type MouseEvent, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { textOfQuote } from './message-text.ts'

interface Props {
  reply: Reply
  /** The name of the sender of the quoted message. */
  name: string
  /** On a bubble of the viewer. */
  isOnBlue: boolean
  /** The quoted message is from someone whom the viewer has blocked. */
  isBlocked: boolean
  /** Scrolls to the quoted message. */
  onOpen: () => void
}

/** The quote of an earlier message, at the top of a reply. */
export function MessageQuote({ reply, name, isOnBlue, isBlocked, onOpen }: Props) {
  const [isUnfolded, setIsUnfolded] = useState(false)
  const isFolded = isBlocked && !isUnfolded
  const isDeleted = reply.kind === 'deleted'
  const text = isFolded ? t('chat.blockedPreview') : textOfQuote(reply)

  function handleClick(event: MouseEvent) {
    // A click on the bubble shows its time.
    event.stopPropagation()
    if (isFolded) setIsUnfolded(true)
    else onOpen()
  }

  return (
    <Box
      {...(isDeleted
        ? {}
        : {
            component: 'button' as const,
            type: 'button',
            onClick: handleClick,
          })}
      sx={{
        display: 'block',
        width: '100%',
        minHeight: 44,
        mb: 0.75,
        px: 1.25,
        py: 0.5,
        border: 0,
        borderInlineStart: '3px solid',
        borderColor: isOnBlue ? '#fff' : 'primary.main',
        borderRadius: '8px',
        bgcolor: isOnBlue ? 'rgb(0 0 0 / 0.2)' : 'background.paper',
        color: 'inherit',
        font: 'inherit',
        fontSize: '0.875rem',
        lineHeight: 1.35,
        textAlign: 'start',
        // The hidden label is positioned.
        position: 'relative',
        cursor: isDeleted ? 'default' : 'pointer',
        '&:focus-visible': { outline: '3px solid', outlineColor: isOnBlue ? '#fff' : 'primary.main' },
      }}
    >
      {!isFolded && !isDeleted && <span style={visuallyHidden}>{t('chat.message.replyTo', { name, text })}</span>}
      {!isFolded && (
        <Box
          component="bdi"
          aria-hidden={!isDeleted}
          sx={{ display: 'block', fontWeight: 700, overflowWrap: 'anywhere' }}
        >
          {name}
        </Box>
      )}
      <Box
        component="span"
        dir="auto"
        aria-hidden={!isFolded && !isDeleted}
        sx={{
          display: '-webkit-box',
          WebkitBoxOrient: 'vertical',
          WebkitLineClamp: '2',
          overflow: 'hidden',
          overflowWrap: 'anywhere',
          fontStyle: isDeleted || isFolded ? 'italic' : 'normal',
        }}
      >
        {text}
      </Box>
    </Box>
  )
}
