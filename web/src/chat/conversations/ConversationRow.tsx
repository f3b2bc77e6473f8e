import type { UserId } from '@hither/contract/ids.ts'
import type { ConversationSummary } from '@hither/contract/messages/messages.ts'
import ArchiveOutlined from '@mui/icons-material/ArchiveOutlined'
import MoreVertRounded from '@mui/icons-material/MoreVertRounded'
import PushPinRounded from '@mui/icons-material/PushPinRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import ListItem from '@mui/material/ListItem'
import ListItemButton from '@mui/material/ListItemButton'
import Typography from '@mui/material/Typography'
import { visuallyHidden } from '@mui/utils'
import { useRef, useState } from 'react'
import { Link } from 'react-router'
import { useServerNow } from '../../api/server-time.ts'
import { t } from '../../i18n/translate.ts'
import { MutedIcon } from '../../notifications/settings/MutedIcon.tsx'
import { CountBadge } from '../../ui/CountBadge.tsx'
import { exactTime, shortRelativeTime } from '../../ui/format-time.ts'
import { lazyComponent } from '../../ui/lazy.tsx'
import { draftOf } from '../compose/drafts.ts'
import { nameOf } from '../conversation-name.ts'
import { senderNameOf, shownContent } from '../messages/message-text.ts'
import { usePlacement } from '../placement.mutations.ts'
import { ConversationAvatar } from './ConversationAvatar.tsx'
import { useRowGestures } from './use-row-gestures.ts'

const ConversationMenu = lazyComponent(async () => (await import('./ConversationMenu.tsx')).ConversationMenu)

interface Props {
  summary: ConversationSummary
  viewerId: UserId | undefined
  isOpen: boolean
  /** Undefined if they are unknown. */
  blocked: ReadonlySet<UserId> | undefined
}

export function ConversationRow({ summary, viewerId, isOpen, blocked }: Props) {
  const nowMs = useServerNow(30_000)
  const menuButton = useRef<HTMLButtonElement>(null)
  const [isMenuOpen, setIsMenuOpen] = useState(false)
  const { archive } = usePlacement(summary)
  const { id, unread_count, updated_at, pinned_at, archived_at } = summary
  const isUnread = unread_count > 0
  const isArchived = archived_at !== null
  const { offsetPx, handlers } = useRowGestures({
    onSwipe: isArchived ? undefined : archive,
    onMenu: () => setIsMenuOpen(true),
  })

  return (
    <>
      <ListItem
        disablePadding
        {...handlers}
        sx={{
          position: 'relative',
          overflow: 'hidden',
          borderRadius: '16px',
          touchAction: 'pan-y',
          WebkitTouchCallout: 'none',
          // The button of the menu overlaps the row and is shown on hover and focus.
          '& .row-menu': { opacity: 0 },
          '&:hover .row-menu, &:focus-within .row-menu': { opacity: 1 },
          '@media (hover: none)': { '& .row-menu': { opacity: 0.7 } },
        }}
      >
        {offsetPx !== 0 && <SwipeGround />}
        <ListItemButton
          component={Link}
          to={`/chat/${id}`}
          state={{ fromList: true, ...(isArchived && { fromArchived: true }) }}
          selected={isOpen}
          draggable={false}
          {...(isOpen && { 'aria-current': 'page' as const })}
          style={offsetPx !== 0 ? { transform: `translateX(${offsetPx}px)`, transition: 'none' } : {}}
          sx={{
            gap: 1.75,
            paddingInlineStart: 1.5,
            paddingInlineEnd: 5.5,
            py: 1,
            minHeight: 76,
            borderRadius: '16px',
            ...(offsetPx !== 0 && { '&, &:hover': { bgcolor: 'background.paper' } }),
          }}
        >
          <ConversationAvatar conversation={summary} size={52} />
          <Box sx={{ flex: 1, minWidth: 0 }}>
            <Box sx={{ display: 'flex', alignItems: 'baseline', gap: 1 }}>
              <Typography noWrap sx={{ flex: 1, minWidth: 0, fontWeight: isUnread ? 800 : 600 }}>
                {nameOf(summary)}
              </Typography>
              {pinned_at !== null && (
                <PushPinRounded
                  titleAccess={t('chat.list.pinned')}
                  sx={{ flexShrink: 0, alignSelf: 'center', fontSize: 16, color: 'text.secondary', rotate: '45deg' }}
                />
              )}
              <MutedIcon conversationId={id} />
              <Typography
                component="time"
                variant="body2"
                dateTime={updated_at}
                title={exactTime(updated_at)}
                color={isUnread ? 'primary' : 'textSecondary'}
                sx={{ flexShrink: 0, fontSize: '0.8125rem', fontWeight: isUnread ? 700 : 400 }}
              >
                {shortRelativeTime(updated_at, nowMs)}
              </Typography>
            </Box>
            <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, minHeight: 24 }}>
              <Typography
                noWrap
                variant="body2"
                color={isUnread ? 'textPrimary' : 'textSecondary'}
                sx={{ flex: 1, minWidth: 0, fontWeight: isUnread ? 600 : 400 }}
              >
                {previewOf(summary, viewerId, blocked)}
              </Typography>
              {/* The row contains the count as text. */}
              {isUnread && (
                <span aria-hidden>
                  <CountBadge count={unread_count} isUrgent />
                </span>
              )}
              {isUnread && <span style={visuallyHidden}>{t('chat.unread', { count: unread_count })}</span>}
            </Box>
          </Box>
        </ListItemButton>
        <IconButton
          ref={menuButton}
          className="row-menu"
          title={t('chat.list.options', { name: nameOf(summary) })}
          aria-haspopup="menu"
          aria-expanded={isMenuOpen}
          onClick={() => setIsMenuOpen(true)}
          sx={{ position: 'absolute', insetInlineEnd: 0, top: '50%', mt: '-22px', width: 44 }}
        >
          <MoreVertRounded fontSize="small" />
        </IconButton>
      </ListItem>
      <ConversationMenu
        open={isMenuOpen}
        anchor={menuButton.current}
        summary={summary}
        onClose={() => setIsMenuOpen(false)}
      />
    </>
  )
}

/** Appears behind a row that is swiped, and shows the action that follows when the finger is lifted. */
function SwipeGround() {
  return (
    <Box
      aria-hidden
      sx={{
        position: 'absolute',
        inset: 0,
        display: 'flex',
        alignItems: 'center',
        justifyContent: 'flex-end',
        gap: 1,
        px: 2,
        borderRadius: '16px',
        bgcolor: 'primary.main',
        color: 'primary.contrastText',
        fontSize: '0.875rem',
        fontWeight: 700,
      }}
    >
      <ArchiveOutlined fontSize="small" />
      {t('chat.list.archive')}
    </Box>
  )
}

function previewOf(
  summary: ConversationSummary,
  viewerId: UserId | undefined,
  blocked: ReadonlySet<UserId> | undefined,
): string {
  const { id, type, last_message, unread_count } = summary
  const draft = viewerId === undefined || unread_count > 0 ? '' : draftOf(viewerId, id)
  if (draft !== '') return t('chat.ownDraft', { text: draft })
  if (last_message === null) return ''
  const { sender_id } = last_message
  if (sender_id === viewerId) return t('chat.own', { text: shownContent(last_message) })
  if (type === 'group' && sender_id !== null && blocked === undefined) return ''
  return sender_id !== null && blocked?.has(sender_id)
    ? t('chat.blockedPreview')
    : t('chat.of', { name: senderNameOf(last_message), text: shownContent(last_message) })
}
