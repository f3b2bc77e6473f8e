import type { Report } from '@hither/contract/reports.ts'
import ImageOutlined from '@mui/icons-material/ImageOutlined'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { reportPictureQuery } from '../admin.api.ts'

/** The image is hidden until the admin asks for it, because it may be disturbing. */
export function ReportPicture({ report }: { report: Report }) {
  const [isWanted, setIsWanted] = useState(false)
  const { data: blob, isError, isFetching } = useQuery({ ...reportPictureQuery(report.id), enabled: isWanted })
  const [url, setUrl] = useState<string | null>(null)

  useEffect(() => {
    if (!blob) return
    const made = URL.createObjectURL(blob)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [blob])

  if (isError || blob === null) return <Typography color="textSecondary">{t('admin.pictureGone')}</Typography>
  if (url !== null) {
    return (
      <Box
        component="img"
        src={url}
        alt={t('admin.picture', { name: report.username })}
        sx={{ display: 'block', maxWidth: '100%', maxHeight: 360, borderRadius: '12px', mt: 1 }}
      />
    )
  }
  return (
    <Button
      startIcon={<ImageOutlined />}
      loading={isFetching}
      onClick={() => setIsWanted(true)}
      sx={{ justifySelf: 'start', marginInlineStart: -1 }}
    >
      {t('admin.showPicture')}
    </Button>
  )
}
