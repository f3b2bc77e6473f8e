import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { t } from '../../i18n/translate.ts'

export function BlockedMessages({ count, onShow }: { count: number; onShow: () => void }) {
  return (
    <Box
      sx={{
        display: 'flex',
        alignItems: 'center',
        justifyContent: 'center',
        gap: 1,
        px: 2,
        py: 0.5,
        color: 'text.secondary',
        fontSize: '0.875rem',
      }}
    >
      {t('chat.message.folded', { count })}
      <Button size="small" onClick={onShow}>
        {t('chat.message.show')}
      </Button>
    </Box>
  )
}
