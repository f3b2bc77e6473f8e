import type { UserId } from '@hither/contract/ids.ts'
import type { ReactionGroup } from '@hither/contract/messages/message-parts.ts'
import Box from '@mui/material/Box'
import { visuallyHidden } from '@mui/utils'
import { listText } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { emojiName } from './emoji-names.ts'

interface Props {
  groups: readonly ReactionGroup[]
  viewerId: UserId
  isOwn: boolean
  nameOf: (userId: UserId) => string
  /** Shows who has reacted. */
  onOpen: () => void
}

const shownMax = 6

/** The reactions below a bubble: one button for each emoji. */
export function ReactionChips({ groups, viewerId, isOwn, nameOf, onOpen }: Props) {
  const others = groups.length - shownMax
  return (
    <Box
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        justifyContent: isOwn ? 'flex-end' : 'flex-start',
        gap: 0.5,
        mt: '-6px',
        mb: 0.25,
        px: 1,
        // One rule for all buttons, because a conversation shows hundreds of them.
        '& > button': {
          display: 'inline-flex',
          alignItems: 'center',
          gap: 0.5,
          minHeight: 28,
          px: 1,
          border: 1,
          borderColor: 'divider',
          borderRadius: 999,
          bgcolor: 'background.paper',
          color: 'text.primary',
          font: 'inherit',
          fontSize: '0.8125rem',
          fontWeight: 600,
          cursor: 'pointer',
          // The area of a tap is larger than the button.
          position: 'relative',
          '&::after': { content: '""', position: 'absolute', inset: '-4px -2px' },
          '&[data-own="true"]': { borderColor: 'primary.main', outline: '1px solid', outlineOffset: -1 },
          '&[data-own="true"], &:focus-visible': { outlineColor: 'primary.main' },
          '&:focus-visible': { outline: '3px solid', outlineOffset: 2 },
        },
      }}
    >
      {groups.slice(0, shownMax).map(({ emoji, user_ids }) => (
        <button key={emoji} type="button" data-own={user_ids.includes(viewerId)} onClick={onOpen}>
          <span aria-hidden>{emoji}</span>
          <span aria-hidden>{user_ids.length}</span>
          <span style={visuallyHidden}>
            {t('chat.reaction.reacted', { names: listOfNames(namesOf(user_ids)), emoji: emojiName(emoji) })}
          </span>
        </button>
      ))}
      {others > 0 && (
        <button type="button" onClick={onOpen}>
          <span aria-hidden>+{others}</span>
          <span style={visuallyHidden}>{t('chat.reaction.others', { count: others })}</span>
        </button>
      )}
    </Box>
  )

  function namesOf(userIds: readonly UserId[]): string[] {
    return userIds.map((userId) => (userId === viewerId ? t('chat.message.you') : nameOf(userId)))
  }
}

/** At most two names, and the number of the others. */
function listOfNames(names: readonly string[]): string {
  const [first = '', second = ''] = names
  if (names.length < 2) return first
  if (names.length === 2) return listText(names)
  return t('chat.reaction.andOthers', { first, second, count: names.length - 2 })
}
