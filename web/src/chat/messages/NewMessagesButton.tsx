import KeyboardArrowDownRounded from '@mui/icons-material/KeyboardArrowDownRounded'
import Fab from '@mui/material/Fab'
import { t } from '../../i18n/translate.ts'

interface Props {
  hasNew: boolean
  /** The viewer came from a reply to which the button goes back. */
  isBack: boolean
  onClick: () => void
}

/** Scrolls to the end of the list. Shows when new messages have arrived there. */
export function NewMessagesButton({ hasNew, isBack, onClick }: Props) {
  return (
    <Fab
      variant={hasNew ? 'extended' : 'circular'}
      size="medium"
      color={hasNew ? 'primary' : 'default'}
      title={hasNew ? undefined : isBack ? t('chat.message.backToReply') : t('chat.message.toNewest')}
      onClick={onClick}
      sx={{
        position: 'absolute',
        bottom: 8,
        zIndex: 2,
        ...(hasNew
          ? {
              insetInlineStart: 0,
              insetInlineEnd: 0,
              mx: 'auto',
              width: 'fit-content',
              height: 44,
              gap: 0.5,
              paddingInlineEnd: 2.5,
            }
          : { insetInlineEnd: 16, width: 44, height: 44, bgcolor: 'background.paper', color: 'text.primary' }),
      }}
    >
      <KeyboardArrowDownRounded />
      {hasNew && t('chat.message.newMessages')}
    </Fab>
  )
}
