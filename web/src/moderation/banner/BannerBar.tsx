import type { Banner } from '@hither/contract/banner.ts'
import type { UserId } from '@hither/contract/ids.ts'
import InfoOutlined from '@mui/icons-material/InfoOutlined'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import GlobalStyles from '@mui/material/GlobalStyles'
import Typography from '@mui/material/Typography'
import { visuallyHidden } from '@mui/utils'
import { useEffect, useState } from 'react'
import { useServerTime } from '../../api/server-time.ts'
import { t } from '../../i18n/translate.ts'
import { hideBanner, isBannerHidden } from './hidden-banner.ts'

interface Props {
  banner: Banner
  viewerId: UserId
  /** The bar is at the upper edge of the screen, where it leaves the room for the status bar instead of the page. */
  isTop: boolean
}

/** Shows a banner as plain text until it ends or the viewer hides it. */
export function BannerBar({ banner: { text, ends_at }, viewerId, isTop }: Props) {
  const [hiddenText, setHiddenText] = useState<string | null>(null)
  const hasEnded = useServerTime(1000, (nowMs) => nowMs >= Date.parse(ends_at))
  if (hasEnded || text === hiddenText || isBannerHidden(viewerId, text)) return null

  function handleHide() {
    hideBanner(viewerId, text)
    setHiddenText(text)
  }

  return (
    <Box
      data-bar="banner"
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1.5,
        paddingInlineStart: 'max(16px, var(--sal))',
        paddingInlineEnd: 'max(8px, var(--sar))',
        pt: isTop ? 'calc(4px + var(--sat))' : 0.5,
        pb: 0.5,
        bgcolor: 'background.paper',
        borderBottom: 1,
        borderColor: 'divider',
      }}
    >
      {isTop && <GlobalStyles styles={{ ':root': { '--page-top': '0px' } }} />}
      <Announcement text={text} />
      <InfoOutlined aria-hidden sx={{ color: 'info.main' }} />
      <Typography
        variant="body2"
        dir="auto"
        sx={{ flex: 1, minWidth: 0, py: 0.5, fontWeight: 600, overflowWrap: 'anywhere' }}
      >
        {text}
      </Typography>
      <Button size="small" onClick={handleHide}>
        {t('moderation.banner.hide')}
      </Button>
    </Box>
  )
}

let announcedText: string | null = null

/** Screen readers announce a text once, also if another screen shows the bar again. */
function Announcement({ text }: { text: string }) {
  const [spoken, setSpoken] = useState<string | null>(null)
  useEffect(() => {
    if (text !== announcedText) setSpoken(text)
    announcedText = text
  }, [text])
  return (
    <span role="status" style={visuallyHidden}>
      {spoken}
    </span>
  )
}
