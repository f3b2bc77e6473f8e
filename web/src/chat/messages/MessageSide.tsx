import AddReactionOutlined from '@mui/icons-material/AddReactionOutlined'
import MoreVertRounded from '@mui/icons-material/MoreVertRounded'
import ReplyRounded from '@mui/icons-material/ReplyRounded'
import Box from '@mui/material/Box'
import { mirrored } from '../../i18n/language.ts'
import { t } from '../../i18n/translate.ts'
import { clockTime, exactTime } from '../../ui/format-time.ts'

interface Props {
  at: string
  /** What the buttons do. Without actions, only the time is shown. */
  actions?: SideActions | undefined
}

interface SideActions {
  onMenu: (anchor: HTMLElement) => void
  /** Absent if the viewer cannot send. */
  onReact?: ((anchor: HTMLElement) => void) | undefined
  onReply?: (() => void) | undefined
}

/**
 * The time and the buttons next to a bubble, shown on hover. With a keyboard one reaches the menu, which has every action; the
 * other buttons save a mouse the second click.
 */
export function MessageSide({ at, actions }: Props) {
  return (
    <Box
      className="side"
      sx={{
        display: 'flex',
        alignItems: 'center',
        alignSelf: 'center',
        flexShrink: 0,
        '& button': {
          display: 'grid',
          placeItems: 'center',
          minWidth: 28,
          minHeight: 28,
          p: 0.5,
          border: 0,
          borderRadius: '50%',
          bgcolor: 'transparent',
          color: 'text.secondary',
          cursor: 'pointer',
          position: 'relative',
          // A finger needs more room than the icon takes.
          '@media (pointer: coarse)': { '&::after': { content: '""', position: 'absolute', inset: '-8px' } },
          '&:hover': { bgcolor: 'action.hover' },
          '&:focus-visible': { outline: '3px solid', outlineColor: 'primary.main' },
        },
        '& .for-mouse': { display: 'none' },
        '@media (hover: hover) and (min-width: 600px)': { '& .for-mouse': { display: 'grid' } },
        '& svg': { fontSize: 18 },
      }}
    >
      {actions?.onReact && (
        <button
          type="button"
          className="for-mouse"
          tabIndex={-1}
          title={t('chat.message.react')}
          aria-label={t('chat.message.react')}
          onClick={(event) => actions.onReact?.(event.currentTarget)}
        >
          <AddReactionOutlined />
        </button>
      )}
      {actions?.onReply && (
        <button
          type="button"
          className="for-mouse"
          tabIndex={-1}
          title={t('chat.message.reply')}
          aria-label={t('chat.message.reply')}
          onClick={actions.onReply}
        >
          <ReplyRounded sx={mirrored} />
        </button>
      )}
      {actions && (
        <button
          type="button"
          title={t('chat.message.options')}
          aria-label={t('chat.message.options')}
          aria-haspopup="dialog"
          onClick={(event) => actions.onMenu(event.currentTarget)}
        >
          <MoreVertRounded />
        </button>
      )}
      <Box
        component="time"
        dateTime={at}
        title={exactTime(at)}
        sx={{ fontSize: '0.75rem', color: 'text.secondary', whiteSpace: 'nowrap' }}
      >
        {clockTime(at)}
      </Box>
    </Box>
  )
}
